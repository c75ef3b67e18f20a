// Notices that the wall clock was set: it moved differently from the monotonic clock. Both are slewed alike, so any
// difference is a step. Pure.
#pragma once

#include <optional>
#include <utility>

#include "common/time/clock.hpp"

namespace groma {

class StepWatch {
public:
    /// Smaller steps cannot be told from the time between the two readings.
    static constexpr Nanos kSmallest = std::chrono::milliseconds(1);

    /// The clock outlives the watch. Reads both clocks once.
    explicit StepWatch(Clock& clock);

    /// Returns: by how much the wall clock was set since the last look. Empty if it was not, or if reading both clocks
    /// took too long: then the next look finds the step.
    [[nodiscard]] std::optional<Nanos> poll();

private:
    /// The wall clock minus the monotonic one; empty if reading them took too long.
    [[nodiscard]] std::optional<Nanos> difference_now();

    Clock& clock_;
    std::optional<Nanos> difference_;
};

}  // namespace groma
