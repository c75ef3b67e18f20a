#include "sender/report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/counted.hpp"
#include "common/base/counts.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/reach.hpp"
#include "common/log/faithfulness.hpp"
#include "common/model/text/human.hpp"
#include "common/stats/fidelity/fidelity_sum.hpp"
#include "common/time/difference.hpp"
#include "common/time/time_span.hpp"
#include "sender/report/contradictions.hpp"
#include "sender/report/network_verdict.hpp"
#include "sender/report/report_requirements.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostSentences = 20;

void add_draws(DrawCounts& sum, const DrawCounts& part) {
    sum.gaps_raised += part.gaps_raised;
    sum.gaps_redrawn += part.gaps_redrawn;
    sum.sizes_raised += part.sizes_raised;
    sum.sizes_lowered += part.sizes_lowered;
}

std::uint64_t unique_packets(const ReceivedFlow& received) {
    return received.packets - std::min(received.packets, received.duplicates);
}

std::string what_happened(const FlowOutcome& outcome, const SendReport& report) {
    if (outcome.counts.end == FlowEnd::failed) {
        return plain_text(outcome.error);
    }
    if (outcome.counts.end == FlowEnd::interrupted and not report.interrupted) {
        return "was stopped before its end";
    }
    if (outcome.counts.cut_short) {
        return "was cut short: what was due could not be sent within 1 s of its end, because the host or the path "
               "could not carry it (ask for less, or find out what blocks it)";
    }
    return {};
}

/// Groups failed flows by reason: one sentence for all with the same reason.
struct Reasons {
    struct Reason {
        std::string what;
        std::string first;
        std::size_t flows = 0;
    };
    std::vector<Reason> reasons;

    void add(const std::string& what, const std::string& flow) {
        if (what.empty()) {
            return;
        }
        const auto same = std::find_if(reasons.begin(), reasons.end(), [&](const Reason& r) { return r.what == what; });
        if (same == reasons.end()) {
            reasons.push_back({what, flow, 1});
        } else {
            ++same->flows;
        }
    }
};

std::string what_is_wrong(const std::string& who, const ReceivedFlow& received) {
    const bool fine = received.state.empty() or received.state == "ok";
    return fine ? std::string() : std::string(who).append(" says: ").append(plain_text(received.state));
}

void append_flow_failures(std::vector<std::string>& out, const SendReport& report) {
    Reasons reasons;
    for (const FlowReport& flow : report.flows) {
        reasons.add(what_happened(flow.outcome, report), flow.spec.name);
        for (const ReceivedBy& each : flow.by_receiver()) {
            if (each.received) {
                const std::string who = each.address.empty() ? "the receiver" : "the receiver at " + each.address;
                reasons.add(what_is_wrong(who, *each.received), flow.spec.name);
                const ToldTimes times{flow.began.value_or(report.started_at), each.delay_bound};
                reasons.add(contradiction(flow, *each.received, times), flow.spec.name);
            }
        }
    }
    for (const Reasons::Reason& reason : reasons.reasons) {
        if (out.size() == kMostSentences) {
            out.push_back("and more: see the figures of each flow (--json)");
            return;
        }
        const std::string others = reason.flows > 1 ? " and " + std::to_string(reason.flows - 1) + " more" : "";
        out.push_back("flow '" + plain_text(reason.first) + "'" + others + ": " + reason.what);
    }
}

void append_log_failures(std::vector<std::string>& out, const SendReport& report) {
    const FlowOutcome sent = total_outcome(report.flows);
    std::uint64_t missing = 0;
    std::uint64_t missing_in_reverse = 0;
    for (const FlowReport& flow : report.flows) {
        add_count(
            flow.spec.direction == Direction::reverse and not report.remote_logs.empty() ? missing_in_reverse : missing,
            flow.outcome.counts.records_lost);
    }
    if (report.log and not report.log->error.empty()) {
        out.push_back("the sender's log is not whole: " + report.log->error);
    } else if (report.log and missing > 0) {
        out.push_back(fmt::format("{} of sent packets {} not in the log ", counted(missing, "record"),
                                  by_count(missing, "is", "are")) +
                      report.log->name + ": it was too slow (a faster disk, or a lower rate)");
    }
    if (missing_in_reverse > 0 and not report.remote_logs.empty()) {
        out.push_back(fmt::format(
            "{} of packets that were sent in reverse {} not in the log there: it was too slow (a faster disk, "
            "or a lower rate)",
            counted(missing_in_reverse, "record"), by_count(missing_in_reverse, "is", "are")));
    }
    for (const LogReport& log : report.remote_logs) {
        if (not log.error.empty()) {
            out.push_back("the log " + log.name + " is not whole: " + log.error);
        }
    }
    if (sent.round_trip and sent.round_trip->records_lost > 0) {
        out.push_back(fmt::format("{} of replies {} not in the log", counted(sent.round_trip->records_lost, "record"),
                                  by_count(sent.round_trip->records_lost, "is", "are")));
    }
    const auto received = total_received(report);
    if (received and received->records_lost > 0) {
        out.push_back(fmt::format("{} of received packets {} not in a receiver's log",
                                  counted(received->records_lost, "record"),
                                  by_count(received->records_lost, "is", "are")));
    }
    for (const ReceiverReport& receiver : report.receivers) {
        if (not receiver.log_error.empty()) {
            out.push_back("the log of the receiver at " + receiver.address +
                          " is not whole: " + plain_text(receiver.log_error));
        }
    }
}

}  // namespace

LostPackets& LostPackets::operator+=(const LostPackets& more) {
    const std::uint64_t sum = known() + more.known();
    const bool bounded = (number or at_least) and (more.number or more.at_least);
    if (number and more.number) {
        number = sum;
    } else {
        number.reset();
        at_least = sum > 0 or bounded ? std::optional(sum) : std::nullopt;
    }
    return *this;
}

std::string to_string(const LostPackets& lost) {
    if (lost.number) {
        return std::to_string(*lost.number);
    }
    return lost.at_least ? ">= " + std::to_string(*lost.at_least) : "unknown";
}

std::uint64_t ReceivedBy::missing(std::uint64_t sent) const {
    return received ? sent - std::min(sent, unique_packets(*received)) : 0;
}

std::uint64_t FlowReport::unique() const {
    return received ? unique_packets(*received) : 0;
}

bool FlowReport::tells_copies() const {
    return traits(spec.transport).delivers_once or outcome.counts.unnumbered == 0;
}

bool FlowReport::is_unknown() const {
    return outcome.counts.end == FlowEnd::failed and local_address.empty() and outcome.fidelity.packets == 0;
}

LostPackets FlowReport::lost() const {
    if (is_unknown()) {
        return {};
    }
    const LostPackets lost = lost_by(received);
    return all_told() or not received ? lost : LostPackets{.at_least = lost.known()};
}

std::vector<ReceivedBy> FlowReport::by_receiver() const {
    return receivers.empty() ? std::vector{ReceivedBy{.address = {}, .received = received, .delay_bound = delay_bound}}
                             : receivers;
}

std::vector<std::optional<ReceivedFlow>> FlowReport::told() const {
    std::vector<std::optional<ReceivedFlow>> all;
    for (ReceivedBy& each : by_receiver()) {
        all.push_back(std::move(each.received));
    }
    return all;
}

bool FlowReport::all_told() const {
    return received and std::ranges::all_of(receivers, [](const ReceivedBy& it) { return it.received.has_value(); });
}

std::uint64_t FlowReport::due_packets() const {
    return outcome.fidelity.packets * std::max<std::uint64_t>(receivers.size(), 1);
}

LostPackets FlowReport::lost_by(const std::optional<ReceivedFlow>& receiver) const {
    const std::uint64_t sent = outcome.fidelity.packets;
    if (not receiver) {
        return sent == 0 ? LostPackets{.number = 0} : LostPackets{};
    }
    const std::uint64_t missing = sent - std::min(sent, unique_packets(*receiver));
    return tells_copies() ? LostPackets{.number = missing} : LostPackets{.at_least = missing};
}

std::optional<std::uint64_t> FlowReport::lost_on_the_way_back() const {
    if (not outcome.round_trip or not received or not tells_copies()) {
        return std::nullopt;
    }
    // Copies on either way count once: they do not make up for what is lost.
    const std::uint64_t replied = std::min(received->replies, unique());
    const RoundTrip& back = *outcome.round_trip;
    const std::uint64_t came_back = back.returned - std::min(back.returned, back.duplicates);
    return replied - std::min(replied, came_back);
}

std::string ReceiverReport::serves() const {
    const auto found = about.find(std::string(kAboutServed));
    return found == about.end() ? std::string() : found->second;
}

FlowCourse course_of(const FlowOutcome& outcome) {
    return {.whole = outcome.counts.ran_to_its_end(),
            .sizes_changed = outcome.draws.sizes_raised + outcome.draws.sizes_lowered};
}

FlowOutcome total_outcome(const std::vector<FlowReport>& flows) {
    FlowOutcome sum;
    FidelitySum fidelity;
    for (const FlowReport& flow : flows) {
        const FlowOutcome& part = flow.outcome;
        fidelity.add(part.fidelity);
        add_draws(sum.draws, part.draws);
        add(sum.counts, part.counts);
        if (part.limits) {
            sum.limits = sum.limits.value_or(SendLimits{}) += *part.limits;
        }
        if (part.round_trip) {
            sum.round_trip = sum.round_trip.value_or(RoundTrip{});
            add(*sum.round_trip, *part.round_trip);
        }
    }
    sum.fidelity = fidelity.result();
    return sum;
}

namespace {

/// Sums packets; the start and the reason are the first flow's.
void add_coalescing(std::optional<Coalescing>& sum, const std::optional<Coalescing>& part) {
    if (not part) {
        return;
    }
    std::uint64_t packets = sum ? sum->packets : 0;
    add_count(packets, part->packets);
    if (not sum or part->since < sum->since) {
        sum = part;
    }
    sum->packets = packets;
}

/// From the first arrival of all to the last; 1970 when those of one of them are unknown, or by an interface's clock.
void add_arrivals(ReceivedFlow& sum, const std::vector<FlowReport>& flows) {
    TimeSpan all;
    for (const FlowReport& flow : flows) {
        for (const auto& received : flow.told()) {
            if (not received or received->packets == 0) {
                continue;
            }
            if (received->first_arrival == WallTime{} or flow.spec.options.arrival_stamps == StampSource::hardware) {
                return;
            }
            all.include({received->first_arrival.time_since_epoch(), received->last_arrival.time_since_epoch()});
        }
    }
    if (not all.empty()) {
        sum.first_arrival = WallTime{all.first};
        sum.last_arrival = WallTime{all.last};
    }
}

void add_counts(ReceivedFlow& sum, const ReceivedFlow& part) {
    add_count(sum.packets, part.packets);
    add_count(sum.bytes, part.bytes);
    add_count(sum.duplicates, part.duplicates);
    add_count(sum.reordered, part.reordered);
    add_count(sum.foreign, part.foreign);
    add_count(sum.malformed, part.malformed);
    add_count(sum.forged, part.forged);
    add_count(sum.kernel_drops, part.kernel_drops);
    add_count(sum.records_lost, part.records_lost);
    add_count(sum.replies, part.replies);
    add_count(sum.replies_lost, part.replies_lost);
    add_coalescing(sum.coalescing, part.coalescing);
}

}  // namespace

bool all_greedy(const std::vector<FlowReport>& flows) {
    return std::ranges::all_of(flows, [](const FlowReport& it) { return it.outcome.fidelity.greedy; });
}

std::string_view how_unpaced(const std::vector<FlowReport>& flows) {
    return std::ranges::all_of(flows, [](const FlowReport& it) { return it.spec.in_flight > 0; }) ? kAsRepliesCame
                                                                                                  : kAsFastAsPossible;
}

std::uint64_t total_due(const std::vector<FlowReport>& flows) {
    std::uint64_t sum = 0;
    for (const FlowReport& flow : flows) {
        add_count(sum, flow.due_packets());
    }
    return sum;
}

LostPackets total_lost(const std::vector<FlowReport>& flows) {
    LostPackets sum{.number = 0};
    for (const FlowReport& flow : flows) {
        for (const auto& received : flow.told()) {
            sum += flow.lost_by(received);
        }
    }
    return sum;
}

RoundTripLosses total_round_trip_losses(const std::vector<FlowReport>& flows) {
    RoundTripLosses sum;
    for (const FlowReport& flow : flows) {
        if (not flow.outcome.round_trip) {
            continue;
        }
        sum.forward += flow.lost();
        const auto backward = flow.lost_on_the_way_back();
        if (sum.backward and backward) {
            add_count(*sum.backward, *backward);
        } else {
            sum.backward.reset();
        }
    }
    return sum;
}

std::optional<Nanos> largest_delay_bound(const std::vector<FlowReport>& flows) {
    std::optional<Nanos> largest;
    for (const FlowReport& flow : flows) {
        if (flow.delay_bound) {
            largest = std::max(largest.value_or(Nanos{0}), *flow.delay_bound);
        }
    }
    return largest;
}

std::optional<double> arrival_rate(const ReceivedFlow& received) {
    const TimeSpan arrivals{Nanos{0}, difference(received.last_arrival, received.first_arrival)};
    return received.first_arrival == WallTime{} ? std::nullopt : arrivals.rate(received.packets);
}

std::optional<ReceivedFlow> total_received(const SendReport& report) {
    std::optional<ReceivedFlow> sum;
    for (const FlowReport& flow : report.flows) {
        for (const auto& received : flow.told()) {
            if (received) {
                sum = sum.value_or(ReceivedFlow{});
                add_counts(*sum, *received);
            }
        }
    }
    if (sum) {
        add_arrivals(*sum, report.flows);
        sum->delays = report.delays;
        const auto has_jitter = [](const FlowReport& it) {
            return it.received and it.received->delays and it.received->delays->jitter_ns;
        };
        if (sum->delays and std::ranges::none_of(report.flows, has_jitter)) {
            sum->delays->jitter_ns.reset();
        }
    }
    return sum;
}

std::vector<std::string> failures(const SendReport& report) {
    std::vector<std::string> out;
    if (report.interrupted) {
        out.push_back("interrupted after " + human_time(report.elapsed));
    }
    for (const ReceiverReport& receiver : report.receivers) {
        // Its flows report it as well, if it was lost before they had ended.
        const bool said = std::any_of(report.flows.begin(), report.flows.end(), [&](const FlowReport& flow) {
            return flow.outcome.counts.end == FlowEnd::failed and flow.outcome.error == receiver.lost;
        });
        if (not receiver.lost.empty() and not said) {
            out.push_back(plain_text(receiver.lost));
        }
    }
    append_flow_failures(out, report);
    if (std::string contradiction = contradiction_of_all(report); not contradiction.empty()) {
        out.push_back(std::move(contradiction));
    }
    if (const NetworkVerdict network = judge_network(report); network.result == NetworkResult::nothing) {
        out.push_back(network.text);
    }
    append_log_failures(out, report);
    for (const CheckedRequirement& one : checked_requirements(report)) {
        if (not one.met) {
            out.push_back("required, and not met: " + one.sentence());
        }
    }
    return out;
}

}  // namespace groma
