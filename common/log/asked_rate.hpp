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
/// same holds, times the share of ON.
/// Empty if a mean does not exist, or is 0.
[[nodiscard]] std::optional<double> nominal_pps(const FlowSpec& flow);

/// Packets per second over the duration that was asked for, silence at its ends included. Empty if the flow could end
/// before it.
[[nodiscard]] std::optional<double> realised_pps(const FlowSpec& flow, std::uint64_t packets);

/// Where the asked rate of a run, which is that of the draws, may be mistaken for these; a sentence each. `whole`: the
/// flow ran to its end, and `sent` is of all its packets.
[[nodiscard]] std::vector<std::string> notes_on_rate(const FlowSpec& flow, const Fidelity& sent, bool whole);

}  // namespace groma
