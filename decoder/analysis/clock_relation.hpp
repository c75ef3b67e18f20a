// Finds out how a receiver's clock is related to a sender's, from what their logs say.
#pragma once

#include <span>

#include "common/log/run_metadata.hpp"
#include "decoder/results/clock_state.hpp"

namespace groma {

/// `probes` of the sender's log, of which those to this receiver's host are used. Equal boot ids share a clock; then
/// what fits the probes (common/stats/clock/clock_fit.hpp); otherwise delays are relative. `bound` is that of the run's
/// start.
[[nodiscard]] ClockState relate_clocks(const RunMetadata& sender, std::span<const ClockProbe> probes,
                                       const RunMetadata& receiver);

}  // namespace groma
