// The packets that a flow, or several together, lost: how many, in which direction, in which pattern; or why this is
// unknown.
#pragma once

#include <optional>

#include "decoder/analysis/received_analyzer.hpp"
#include "decoder/analysis/total.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Sent and never received: a further copy does not make up for a lost packet. The sender's total counts, so that a
/// loss at the very end does too; without it the highest sequence number gives a lower bound. Packets without a number
/// give one as well: their copies cannot be told, unless the transport delivers each packet once.
[[nodiscard]] Loss loss_of(const std::optional<SentFigures>& sent, const std::optional<ReceivedFigures>& received,
                           Transport transport);

/// Of a flow at one receiver: Loss::before_host. `shares_a_socket`: with other flows, whose drops are counted with one
/// of them. Requires: flow.received.
[[nodiscard]] std::optional<std::uint64_t> lost_before_host(const FlowResult& flow, bool shares_a_socket);

/// Fills in which packets of a flow with a round trip were lost, as far as totals tell. Requires: flow.round_trip.
void add_return_losses(FlowResult& flow);

/// `flow`: with its loss and what both sides' logs say of it; its loss becomes a bound where numbers arrived that were
/// not sent. Requires: flow.received.
[[nodiscard]] LossPatternFigures loss_pattern_of(const ReceivedAnalyzer& received, FlowResult& flow);

/// Of several flows: unknown where that of one is, and because of it; then what is known is a lower bound.
[[nodiscard]] Loss losses_together(const Members& flows);
[[nodiscard]] LossPatternFigures loss_patterns_together(const Members& flows);

}  // namespace groma
