// What is known of a flow's loss pattern, and why not when it is not.
#pragma once

#include "decoder/analysis/received_analyzer.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// `flow`: with its loss and what both sides' logs say of it. Requires: flow.received.
[[nodiscard]] LossPatternFigures loss_pattern_of(const ReceivedAnalyzer& received, const FlowResult& flow);

}  // namespace groma
