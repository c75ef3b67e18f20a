#include "decoder/analysis/loss_pattern_of.hpp"

#include <string>

namespace groma {

namespace {

std::string packets(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " packet" : " packets");
}

/// Empty: every packet that arrived can be put into its place among those that were sent.
std::string why_unknown(const ReceivedFigures& received) {
    if (not received.whole) {
        return "the receiver's log was cut short";
    }
    if (received.records_missing > 0) {
        return "the records of " + packets(received.records_missing) + " are not in the receiver's log";
    }
    if (received.unnumbered > 0) {
        return packets(received.unnumbered) + " carried no sequence number";
    }
    if (received.beyond_window > 0) {
        return packets(received.beyond_window) + " came so late that nobody knows whether they came before";
    }
    return {};
}

}  // namespace

LossPatternFigures loss_pattern_of(const ReceivedAnalyzer& received, const FlowResult& flow) {
    LossPatternFigures figures;
    figures.unknown_because = why_unknown(*flow.received);
    if (not figures.unknown_because.empty()) {
        return figures;
    }
    if (flow.received->selected and not flow.loss.packets) {
        figures.unknown_because = flow.loss.unknown_because;
        return figures;
    }
    if (flow.received->selected_by_size) {
        figures.unknown_because = "packets were selected by size, and there are others between them";
        return figures;
    }
    if (not flow.sent or not flow.sent->whole) {
        figures.counts = received.loss_pattern({});
        return figures;
    }
    if (flow.sent->records_missing > 0) {
        figures.unknown_because = "the records of " + packets(flow.sent->records_missing) +
                                  " are not in the sender's log, so that it is unknown which numbers were sent";
        return figures;
    }
    LossPatternCounts counts = received.loss_pattern(flow.sent->end_seq);
    if (counts.lost != flow.loss.packets) {
        figures.unknown_because = "numbers were received that the sender's log does not have";
        return figures;
    }
    figures.counts = std::move(counts);
    figures.to_the_end = true;
    return figures;
}

}  // namespace groma
