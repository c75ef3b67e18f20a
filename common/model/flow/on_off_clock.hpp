// Inserts OFF periods into the time line of a departure process that knows ON time only.
#pragma once

#include <cstdint>

#include "common/model/flow/fine_time.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/model/flow/gap_process.hpp"

namespace groma {

class OnOffClock {
public:
    /// A departure that lies this many periods ahead is not searched further: the rest of its gap passes in one ON
    /// period. Bounds the work of one call whatever the distributions are.
    static constexpr int kMaxPeriodsPerGap = 100'000;

    OnOffClock(const OnOff& on_off, std::uint64_t on_seed, std::uint64_t off_seed);

    /// Returns: where `on_time`, counted in ON time, lies on the flow's time line. An ON period contains its start and
    /// not its end. Requires: calls in order of `on_time`. An answer beyond `end` may be any instant beyond it.
    [[nodiscard]] FineTime flow_time(FineTime on_time, Nanos end, DrawCounts& counts) noexcept;

private:
    GapProcess on_;
    GapProcess off_;
    FineTime on_until_;   ///< end of the current ON period, in ON time
    FineTime off_total_;  ///< all OFF periods before the current ON period
    bool started_ = false;
};

}  // namespace groma
