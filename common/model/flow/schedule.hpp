// A flow's departures, drawn one by one. Pure: the same on every machine for the same spec.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "common/model/flow/draws.hpp"
#include "common/model/flow/flow_spec.hpp"

namespace groma {

struct Departure {
    std::uint64_t seq = 0;   ///< 0, 1, 2, ...
    Nanos offset{0};         ///< from the common start of the run, the flow's start delay included
    std::uint32_t size = 0;  ///< payload bytes, header included

    bool operator==(const Departure&) const = default;
};

class Schedule {
public:
    /// Requires: validate() (common/model/flow/flow_text.hpp) finds no error in the spec.
    explicit Schedule(const FlowSpec& spec);
    Schedule(Schedule&&) noexcept;
    Schedule& operator=(Schedule&&) noexcept;
    ~Schedule();

    /// Returns: the next departure; empty when the flow has ended. The first one is due at the flow's start. Does not
    /// allocate.
    [[nodiscard]] std::optional<Departure> next() noexcept;

    [[nodiscard]] const DrawCounts& draw_counts() const noexcept;

    /// OFF periods before the last departure: how long, and how many; 0 without ON and OFF periods.
    [[nodiscard]] Nanos off_time() const noexcept;
    [[nodiscard]] std::uint64_t off_periods() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
