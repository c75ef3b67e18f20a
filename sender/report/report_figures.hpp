// What the figures of the sender's report are called and mean. Where the decoder has the same figure, it has the same
// name (decoder/results/figures.hpp).
#pragma once

#include <cstdint>

#include "common/figures/figure.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// What a receiver said of a flow, or receivers of several.
struct ReceivedCounts {
    const ReceivedFlow* received = nullptr;  ///< null: it sent no results
    std::uint64_t lost = 0;
};

/// A flow, or all of them together. What it points to outlives it.
struct OutcomeCounts {
    const FlowOutcome* sent = nullptr;
    ReceivedCounts received{};
    std::uint64_t forward_lost = 0;  ///< of flows with a round trip; as `backward_lost` known only with `received`
    std::uint64_t backward_lost = 0;
};

/// What it points to is in the report.
[[nodiscard]] OutcomeCounts counts_of(const FlowReport& flow);

[[nodiscard]] const FigureTable<ReceivedCounts>& received_figures();
[[nodiscard]] const FigureTable<OutcomeCounts>& outcome_figures();
/// Requires of the record: a round trip.
[[nodiscard]] const FigureTable<OutcomeCounts>& returned_figures();

/// The run itself.
[[nodiscard]] const FigureTable<SendReport>& send_run_figures();
[[nodiscard]] const FigureTable<OwnStep>& own_step_figures();
[[nodiscard]] const FigureTable<ReceiverReport>& receiver_figures();

}  // namespace groma
