// Notices that the wall clock was set: it moved otherwise than the monotonic clock did. Both are slewed alike, so that
// what is left is a step. Pure.
#pragma once

#include <optional>
#include <utility>

#include "common/time/clock.hpp"

namespace groma {

class StepWatch {
public:
    /// Smaller steps cannot be told from the time that passes between reading one clock and the other.
    static constexpr Nanos kSmallest = std::chrono::milliseconds(1);

    /// The clock outlives the watch. Looks once.
    explicit StepWatch(Clock& clock);

    /// Returns: by how much the wall clock was set since the last look; nothing when it was not, or when reading both
    /// clocks took too long to tell: the next look tells then.
    [[nodiscard]] std::optional<Nanos> poll();

private:
    /// The wall clock less the monotonic one; nothing when it took too long to read them.
    [[nodiscard]] std::optional<Nanos> difference_now();

    Clock& clock_;
    std::optional<Nanos> difference_;
};

}  // namespace groma
