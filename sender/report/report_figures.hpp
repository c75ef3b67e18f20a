// Names and meanings of the figures in the sender's report. The decoder uses the same name for the same figure
// (decoder/results/figures.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "common/figures/figure.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// The results of a flow's receiver, or summed over flows.
struct ReceivedCounts {
    const ReceivedFlow* received = nullptr;  ///< null: it sent no results
    LostPackets lost{};
    std::optional<Nanos> delay_bound{};
};

/// A flow, or all of them together. Pointees outlive it.
struct OutcomeCounts {
    const FlowOutcome* sent = nullptr;
    ReceivedCounts received{};
    std::optional<std::uint64_t> forward_lost{};  ///< with a round trip
    std::optional<std::uint64_t> backward_lost{};
};

/// The result points into the report.
[[nodiscard]] OutcomeCounts counts_of(const FlowReport& flow);

[[nodiscard]] const FigureTable<ReceivedCounts>& received_figures();
[[nodiscard]] const FigureTable<OutcomeCounts>& outcome_figures();
/// Requires: records with a round trip.
[[nodiscard]] const FigureTable<OutcomeCounts>& returned_figures();

/// Figures of the run itself.
[[nodiscard]] const FigureTable<SendReport>& send_run_figures();
[[nodiscard]] const FigureTable<OwnStep>& own_step_figures();
[[nodiscard]] const FigureTable<QueueDrops>& queue_drop_figures();
[[nodiscard]] const FigureTable<ReceiverReport>& receiver_figures();

}  // namespace groma
