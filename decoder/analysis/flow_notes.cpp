#include "decoder/analysis/flow_notes.hpp"

#include <fmt/format.h>

#include "common/base/counted.hpp"
#include "common/log/asked_rate.hpp"
#include "decoder/analysis/departure_lateness.hpp"

namespace groma {

namespace {

constexpr const char* kClockWasSet =
    "a clock was set, or a log is not what was written; do not use these times, and measure again while nothing sets "
    "the clocks";

void note_loss(const Loss& loss, std::vector<std::string>& notes) {
    if (loss.packets) {
        return;
    }
    std::string note = "loss: unknown, " + loss.unknown_because;
    if (loss.at_least.value_or(0) > 0) {
        note += " (at least " + counted(*loss.at_least, "packet") + ")";
    }
    notes.push_back(note);
}

void note_loss_pattern(const FlowResult& flow, std::vector<std::string>& notes) {
    constexpr double kHardlyByChance = 0.001;
    const auto chance = flow.loss_pattern.counts ? flow.loss_pattern.counts->gilbert_chance() : std::nullopt;
    if (chance and *chance < kHardlyByChance) {
        notes.emplace_back(
            "loss pattern: not that of a Gilbert channel (the chance is below 0.001): the errors of p and r and the "
            "interval of the loss are too small");
    } else if (not chance and flow.loss_pattern.counts and flow.loss_pattern.counts->interval()) {
        notes.emplace_back(
            "loss pattern: it was not tested whether it is that of a Gilbert channel, as the errors of p and r and the "
            "interval of the loss assume: of its runs of lost and of received packets too few are of one packet, or "
            "too few of more");
    }
    const std::string& why = flow.loss_pattern.unknown_because;
    if (not flow.loss_pattern.counts and why != flow.loss.unknown_because) {
        notes.push_back("loss pattern: unknown, " + why);
    }
}

std::string contradiction(const char* side, const char* log, std::uint64_t records) {
    return std::string(side) + ": the totals of the " + log +
           "'s log contradict its records: " + counted(records, "record") + " more than it counts packets";
}

void note_sent(const SentFigures& sent, std::vector<std::string>& notes) {
    if (not sent.whole) {
        notes.push_back("sent: the sender's log was cut short, totals missing");
    }
    if (sent.records_beyond > 0) {
        notes.push_back(contradiction("sent", "sender", sent.records_beyond));
    }
    if (sent.packets > 1 and sent.fidelity.sent.empty() and sent.whole and sent.records_missing == 0) {
        notes.emplace_back("sent: duration and rates are unknown, because the sender's clock was set meanwhile");
    }
    if (sent.records_missing > 0) {
        notes.push_back("sent: the records of " + counted(sent.records_missing, "packet") +
                        " are not in the sender's log");
    }
}

std::string why_undated(HeaderLevel header) {
    switch (header) {
        case HeaderLevel::none:
            return "--header none leaves out the time when they left";
        case HeaderLevel::sequence:
            return "--header sequence leaves out the time when they left, and the sender's log does not have it, or "
                   "the two clocks are more than 73 years apart";
        case HeaderLevel::full:
            break;
    }
    return "they are too small to carry the time when they left, and the sender's log does not have it, or the two "
           "clocks are more than 73 years apart";
}

void note_received(HeaderLevel header, const ReceivedFigures& received, std::vector<std::string>& notes) {
    if (not received.whole) {
        notes.push_back("received: the receiver's log was cut short, totals missing");
    }
    if (received.records_beyond > 0) {
        notes.push_back(contradiction("received", "receiver", received.records_beyond));
    }
    if (received.records_missing > 0) {
        notes.push_back("received: the records of " + counted(received.records_missing, "packet") +
                        " are not in the receiver's log; " +
                        (received.copies_counted ? "" : "duplicates and reordering, ") +
                        "delay, jitter and the figures of order are of the others");
    }
    if (received.unplaced > 0) {
        notes.push_back("selected packets: it is unknown when " + counted(received.unplaced, "packet") +
                        " left; they are left out");
    }
    if (received.selected_by_size) {
        notes.emplace_back(
            "loss pattern, gaps, jitter, IPDV: unknown of packets that were selected by size, because there are others "
            "between them");
    }
    if (received.unnumbered > 0) {
        notes.push_back("duplicates and reordering: " + counted(received.unnumbered, "packet") +
                        " carried no sequence number");
    }
    if (received.undated > 0) {
        notes.push_back("delay and jitter: " + counted(received.undated, "packet") +
                        " are left out: " + why_undated(header));
    }
    if (received.impossible > 0) {
        notes.push_back("delay: negative for " + counted(received.impossible, "packet") +
                        ", by more than the largest error of the clocks: " + kClockWasSet);
    }
    if (not received.times_unknown_because.empty()) {
        notes.push_back("delay, jitter, arrival gaps, duration and rates: unknown, because " +
                        received.times_unknown_because);
    } else if (not received.rates_unknown_because.empty()) {
        notes.push_back("duration and rates: unknown, because " + received.rates_unknown_because);
    }
    if (not received.gaps_unknown_because.empty() and not received.selected_by_size and
        received.times_unknown_because.empty()) {
        notes.push_back("arrival gaps: unknown, because " + received.gaps_unknown_because);
    }
    if (received.ipdv_missed.value_or(0) > 0) {
        notes.push_back("IPDV: " + std::to_string(*received.ipdv_missed) +
                        " pairs of neighbours that both arrived could not be compared");
    }
    if (received.beyond_window > 0) {
        notes.push_back("reordering: " + counted(received.beyond_window, "packet") +
                        " came so late that they may be duplicates as well");
    }
}

void note_measured(const FlowResult& flow, std::vector<std::string>& notes) {
    if ((flow.received and flow.received->lateness_forgotten) or
        (flow.round_trip and flow.round_trip->lateness_forgotten)) {
        notes.push_back("times from the schedule: unknown, because the sender's records are of more than " +
                        std::to_string(DepartureLateness::kMost) +
                        " packets, or not in order; --flow, --from and --until select fewer of them");
    }
    if (flow.schedule_forgotten) {
        notes.emplace_back(
            "times from the schedule: unknown, because packets that were due did not leave, or it is unknown whether "
            "all did");
    }
    if (flow.round_trip and flow.round_trip->unnumbered > 0) {
        notes.push_back("round trip: " + std::to_string(flow.round_trip->unnumbered) +
                        " replies carried no sequence number: copies and ways of losses cannot be told");
    }
    if (flow.round_trip and flow.round_trip->records_missing > 0) {
        notes.push_back("round trip: the records of " + std::to_string(flow.round_trip->records_missing) +
                        " replies are not in the sender's log; times are of the others");
    }
    if (flow.round_trip and flow.round_trip->undated > 0) {
        notes.push_back("round trip: it is unknown when the packets of " + std::to_string(flow.round_trip->undated) +
                        " replies left, or the times are more than 73 years apart");
    }
    if (flow.round_trip and flow.round_trip->impossible > 0) {
        notes.push_back("round trip: " + std::to_string(flow.round_trip->impossible) +
                        " replies have a negative time, or a one-way time that is negative by more than the largest "
                        "error of the clocks: " +
                        kClockWasSet);
    }
    if (flow.transmit and flow.transmit->unmatched > 0) {
        notes.push_back("transmit stamps: " + counted(flow.transmit->unmatched, "packet") +
                        " have one and no other record");
    }
    if (flow.transmit and flow.transmit->stamps == "hardware") {
        notes.emplace_back(
            "transmit stamps: the time in the stack and the delay from the stamp on are unknown, because nothing "
            "relates the interface's clock to the hosts'");
    }
    for (const ConnectionFigures& connection : flow.connections) {
        if (connection.side == LogRole::sender and connection.efficiency and not connection.buffer_delay and
            flow.sent and flow.sent->counter("blocked") == 0U) {
            notes.emplace_back(
                "connection: the flow sent less than the path takes (its socket was never full), so that it has no "
                "buffer delay and no transfer time ratio");
        }
        if (not connection.no_time_ratio_because.empty()) {
            notes.push_back("connection: no transfer time ratio, because " + connection.no_time_ratio_because);
        }
        if (connection.left_out > 0) {
            notes.push_back(fmt::format("connection: {} beyond the first ones {} in the figures and not in the series",
                                        counted(connection.left_out, "sample"),
                                        by_count(connection.left_out, "is", "are")));
        }
    }
}

}  // namespace

std::vector<std::string> notes_on(const FlowResult& flow) {
    std::vector<std::string> notes;
    note_loss(flow.loss, notes);
    note_loss_pattern(flow, notes);
    if (flow.received and flow.received->selected and not flow.sent) {
        notes.emplace_back("selected packets: without the sender's log they are those that arrived within that time");
    }
    if (flow.sent) {
        note_sent(*flow.sent, notes);
        const FlowCourse course{.whole = flow.sent->is_whole_run(),
                                .sizes_changed = flow.sent->counter("sizes_raised").value_or(0) +
                                                 flow.sent->counter("sizes_lowered").value_or(0)};
        for (const std::string& note : notes_on_rate(flow.spec, flow.sent->fidelity, course)) {
            notes.push_back("sent: " + note);
        }
    } else {
        notes.push_back("fidelity: unknown without the sender's log");
    }
    if (flow.received) {
        note_received(flow.spec.header, *flow.received, notes);
    } else {
        notes.push_back("delay, jitter, throughput: unknown without the receiver's log");
    }
    if (not flow.clock.unusable.empty()) {
        notes.push_back("clock: " + flow.clock.unusable);
    }
    note_measured(flow, notes);
    return notes;
}

bool loss_by_interval_is_known(const FlowResult& flow) {
    return flow.sent and flow.received and flow.sent->whole and flow.received->whole and
           flow.sent->records_missing == 0 and flow.received->records_missing == 0 and flow.received->undated == 0;
}

}  // namespace groma
