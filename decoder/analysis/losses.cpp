#include "decoder/analysis/losses.hpp"

#include <algorithm>
#include <string>

#include "common/base/counted.hpp"
#include "common/base/counts.hpp"

namespace groma {

namespace {

std::uint64_t less(std::uint64_t from, std::uint64_t what) {
    return from - std::min(from, what);
}

/// Whether the receiver could see that a packet was a copy of another: of all packets that left, if the sender counted
/// those without a number, or of those with records.
bool copies_have_numbers(const std::optional<SentFigures>& sent, const ReceivedFigures& received) {
    const auto unnumbered = sent ? sent->counter("unnumbered") : std::nullopt;
    return unnumbered.value_or(0) == 0 and received.unnumbered == 0;
}

Loss of_known(std::uint64_t lost, const ReceivedFigures& received, bool tells_copies) {
    if (tells_copies) {
        return {lost, {}, {}};
    }
    return {{},
            lost,
            (received.unnumbered > 0 ? counted(received.unnumbered, "packet") : std::string("packets")) +
                " carried no sequence number, so that copies hide losses"};
}

/// Of selected packets: needs all records of both sides, so that both selections are the same.
Loss loss_of_selected(const std::optional<SentFigures>& sent, const ReceivedFigures& received, bool tells_copies) {
    if (not sent) {
        return {{}, {}, "without the sender's log it is unknown which of the packets that were selected were sent"};
    }
    if (not sent->whole or sent->records_missing > 0) {
        return {
            {}, {}, "the sender's log does not have all packets, and some of those that were selected may be missing"};
    }
    if (received.records_missing > 0) {
        return {{},
                {},
                "the receiver's log does not have all packets, and some of those that were selected may be missing"};
    }
    if (received.unplaced > 0) {
        return {{}, {}, "it is unknown when some of the packets left, and so which of them were selected"};
    }
    return of_known(less(sent->packets, received.unique), received, tells_copies);
}

/// Empty: the place of every arrived packet among the sent ones is known.
std::string why_unknown(const ReceivedFigures& received) {
    if (not received.whole) {
        return "the receiver's log was cut short";
    }
    if (received.records_missing > 0) {
        return "the records of " + counted(received.records_missing, "packet") + " are not in the receiver's log";
    }
    if (received.unnumbered > 0) {
        return counted(received.unnumbered, "packet") + " carried no sequence number";
    }
    if (received.beyond_window > 0) {
        return counted(received.beyond_window, "packet") + " came too late to tell whether they had come before";
    }
    return {};
}

}  // namespace

Loss loss_of(const std::optional<SentFigures>& sent, const std::optional<ReceivedFigures>& received,
             Transport transport) {
    if (not received) {
        return {{}, {}, "without the receiver's log"};
    }
    if (not received->whole) {
        return {{}, {}, "the receiver's log was cut short"};
    }
    const bool tells_copies = traits(transport).delivers_once or copies_have_numbers(sent, *received);
    if (received->selected) {
        return loss_of_selected(sent, *received, tells_copies);
    }
    const std::uint64_t got = less(received->packets, received->duplicates);
    if (sent and sent->whole and not received->copies_counted) {
        return {{}, less(sent->packets, got), "records are missing in the receiver's log, and copies were not counted"};
    }
    if (sent and sent->whole) {
        return of_known(less(sent->packets, got), *received, tells_copies);
    }
    const std::uint64_t left = std::max(sent ? sent->packets : 0, received->next_expected);
    return {{}, less(left, got), sent ? "the sender's log was cut short" : "without the sender's log"};
}

void add_return_losses(FlowResult& flow) {
    RoundTripFigures& figures = *flow.round_trip;
    const bool tells_copies = figures.unnumbered == 0 or traits(flow.spec.transport).delivers_once;
    if (const auto returned = flow.sent ? flow.sent->counter("returned") : std::nullopt;
        returned.value_or(0) > figures.replies) {
        figures.records_missing = *returned - figures.replies;
        figures.replies = *returned;
        figures.unique = less(*returned, flow.sent->counter("returned_duplicates").value_or(0));
        figures.backward_lost.reset();
    }
    if (flow.sent and flow.sent->whole and tells_copies) {
        figures.lost = less(flow.sent->packets, figures.unique);
    }
    if (figures.backward_lost) {
        return;
    }
    const auto replies = flow.received ? flow.received->counter("replies") : std::nullopt;
    if (not flow.received) {
        figures.backward_from = "without the receiver's log";
    } else if (not tells_copies) {
        figures.backward_from = "replies carry no sequence number, so that copies hide losses";
    } else if (flow.received->selected) {
        figures.backward_from = "totals are of all packets, not of those that were selected";
    } else if (not replies) {
        figures.backward_from = "the receiver's log does not say how many packets it sent back";
    } else {
        figures.backward_lost = less(*replies, figures.unique);
        figures.backward_from = "totals: replies sent less replies returned, each once";
    }
}

std::optional<std::uint64_t> lost_before_host(const FlowResult& flow, bool shares_a_socket) {
    // Only a part of the packets that DCCP's socket has no room for is counted.
    const bool counted = not shares_a_socket and flow.spec.transport != Transport::dccp;
    auto dropped = counted ? flow.received->counter("kernel_drops") : std::nullopt;
    if (dropped.value_or(0) > 0 and flow.received->counter("coalesced_packets")) {
        dropped.reset();  // with GRO, messages of several packets were dropped and counted
    }
    if (not dropped or not flow.loss.packets or *dropped > *flow.loss.packets) {
        return std::nullopt;  // more drops than losses: copies or foreign packets were dropped, too
    }
    return *flow.loss.packets - *dropped;
}

LossPatternFigures loss_pattern_of(const ReceivedAnalyzer& received, FlowResult& flow) {
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
        figures.unknown_because = "the records of " + counted(flow.sent->records_missing, "packet") +
                                  " are not in the sender's log, so that it is unknown which numbers were sent";
        return figures;
    }
    LossPatternCounts counts = received.loss_pattern(flow.sent->end_seq);
    if (flow.sent->end_seq < flow.received->next_expected or counts.lost != flow.loss.packets) {
        figures.unknown_because = "numbers were received that the sender's log does not have";
        flow.loss = {{}, flow.loss.packets, figures.unknown_because};
        return figures;
    }
    figures.counts = std::move(counts);
    figures.to_the_end = true;
    return figures;
}

Loss losses_together(const Members& flows) {
    Loss total{.packets = 0, .at_least = 0, .unknown_because = {}, .before_host = 0};
    for (const Member& member : flows) {
        const FlowResult& flow = *member.result;
        if (not flow.loss.packets) {
            total.unknown_because = "of flow " + std::to_string(flow.spec.id.value) + ": " + flow.loss.unknown_because;
            total.packets.reset();
        }
        add_count(*total.at_least, flow.loss.packets.value_or(flow.loss.at_least.value_or(0)));
        if (total.packets) {
            add_count(*total.packets, *flow.loss.packets);
        }
        if (not flow.loss.before_host) {
            total.before_host.reset();
        } else if (total.before_host) {
            add_count(*total.before_host, *flow.loss.before_host);
        }
    }
    const bool some_have_no_bound = std::ranges::any_of(flows, [](const Member& member) {
        return not member.result->loss.packets and not member.result->loss.at_least;
    });
    if (total.packets or (*total.at_least == 0 and some_have_no_bound)) {
        total.at_least.reset();
    }
    return total;
}

LossPatternFigures loss_patterns_together(const Members& flows) {
    LossPatternFigures total{.counts = LossPatternCounts{}, .to_the_end = true, .unknown_because = {}};
    for (const Member& member : flows) {
        const FlowResult& flow = *member.result;
        if (not flow.loss_pattern.counts) {
            total.counts.reset();
            total.unknown_because =
                "of flow " + std::to_string(flow.spec.id.value) + ": " + flow.loss_pattern.unknown_because;
            break;
        }
        total.counts->merge(*flow.loss_pattern.counts);
        total.to_the_end = total.to_the_end and flow.loss_pattern.to_the_end;
    }
    return total;
}

}  // namespace groma
