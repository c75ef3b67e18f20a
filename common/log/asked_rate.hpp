// The rate that a flow's distributions have, beside the rate that was drawn from them
// (docs/reference/metrics.md#rates).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

/// Packets per second: 1 / the mean gap, with draws below 0 raised to 0; with ON and OFF periods, of which the
/// same holds, times the share of ON. Of a rate over time, its mean over the duration.
/// Empty if a mean does not exist, or is 0, or if a flow with a rate over time has no duration.
[[nodiscard]] std::optional<double> nominal_pps(const FlowSpec& flow);

/// Packets per second over the duration that was asked for, silence at its ends included. Empty if the flow could end
/// before it.
[[nodiscard]] std::optional<double> realised_pps(const FlowSpec& flow, std::uint64_t packets);

/// What became of a flow beside its Fidelity.
struct FlowCourse {
    bool whole = false;               ///< it ran to its end, and its Fidelity is of all its packets
    std::uint64_t sizes_changed = 0;  ///< sizes raised to the smallest or lowered to the largest that can be sent
};

/// Where the asked rates of a run, which are those of the draws, may be mistaken for these or for the distributions'; a
/// sentence each.
[[nodiscard]] std::vector<std::string> notes_on_rate(const FlowSpec& flow, const Fidelity& sent,
                                                     const FlowCourse& course);

}  // namespace groma
