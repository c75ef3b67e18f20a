#include "decoder/analysis/conclusions.hpp"

#include <algorithm>
#include <set>

#include "common/stats/fidelity/missing_fit.hpp"
#include "decoder/analysis/clock_relation.hpp"
#include "decoder/analysis/flow_notes.hpp"
#include "decoder/analysis/groups.hpp"
#include "decoder/analysis/header_rates.hpp"
#include "decoder/analysis/log_tally.hpp"
#include "decoder/analysis/losses.hpp"
#include "decoder/analysis/total.hpp"

namespace groma {

namespace {

SeriesKnowledge known_of(const FlowAnalysis& analysis, const FlowResult& flow) {
    SeriesKnowledge known;
    known.sent = flow.sent.has_value();
    known.received = flow.received and flow.received->times_unknown_because.empty();
    if (known.received) {
        known.delay = true;
        known.delay_shift = analysis.received->delay_shift();
    }
    known.lost = loss_by_interval_is_known(flow);
    known.returned = flow.round_trip.has_value();
    known.departures = departures_within(flow.sent);
    known.arrivals = arrivals_within(flow.received);
    known.from = analysis.selection.from.value_or(Nanos{0});
    return known;
}

/// What the sender's side alone says.
FlowResult departures_of(const FlowAnalysis& analysis) {
    FlowResult flow;
    flow.spec = analysis.spec;
    if (analysis.sender_log != nullptr) {
        flow.sender = analysis.sender_log->metadata().host;
    }
    if (analysis.sent != nullptr) {
        flow.sent =
            analysis.sent->figures(analysis.sender_log->totals(analysis.spec.id), analysis.sender_log->clock_was_set());
        if (not flow.sent->whole and analysis.sender_log->has_holes()) {
            flow.sent->fidelity.sent = flow.sent->fidelity.scheduled = {};
        }
        flow.sent->no_fit_because = why_no_fit(analysis.spec, flow.sent->fidelity);
        flow.due_packets = flow.sent->packets;
    }
    return flow;
}

void add_connections(const FlowAnalysis& analysis, FlowResult& flow) {
    const SentFigures* sent = flow.sent ? &*flow.sent : nullptr;
    const ReceivedFigures* received = flow.received ? &*flow.received : nullptr;
    for (const auto* connection : {&analysis.sender_connection, &analysis.receiver_connection}) {
        if (*connection != nullptr) {
            flow.connections.push_back((*connection)->figures(sent, received, analysis.bottleneck_bps));
        }
    }
}

void add_measured(const FlowAnalysis& analysis, FlowResult& flow) {
    flow.arrival_header = analysis.arrival_header;
    add_connections(analysis, flow);
    if (analysis.transmitted != nullptr) {
        flow.transmit = analysis.transmitted->figures(flow.received and flow.received->times_unknown_because.empty() and
                                                      flow.clock.absolute());
    }
    if (analysis.returned != nullptr) {
        const bool reached_is_whole = flow.received and flow.received->whole and flow.received->records_missing == 0;
        flow.round_trip = analysis.returned->figures(reached_is_whole);
        add_return_losses(flow);
    }
}

std::string receiver_name(const FlowAnalysis& analysis, bool hosts_are_alike) {
    if (analysis.receiver_log == nullptr) {
        return {};
    }
    const std::string& host = analysis.receiver_log->metadata().host;
    return hosts_are_alike ? host + " (" + analysis.receiver_address + ")" : host;
}

/// Of arrivals that have no times.
void forget_times(ReceivedFigures& received, const std::string& why) {
    received.times_unknown_because = received.rates_unknown_because = why;
    received.arrivals = {};
    received.delay_ns = received.scheduled_delay_ns = received.pdv_ns = received.ipdv_ns = received.gaps_ns =
        unknown_spread();
    received.delay_mean_error_ns = std::nullopt;
    received.ipdv_missed = std::nullopt;
    received.jitter_count = 0;
    received.jitter_ditg_ns = received.jitter_rfc3550_ns = std::nullopt;
    received.jitter_rfc3550_mean_ns = received.jitter_rfc3550_max_ns = received.mapdv2_ns = std::nullopt;
    received.arrival_scales.clear();
}

void forget_gaps(ReceivedFigures& received, const std::string& why) {
    received.gaps_ns = unknown_spread();
    received.gaps_unknown_because = why;
    received.arrival_scales.clear();
}

/// The clock by which arrivals are told was set: why what is between them is unknown. Empty: it was not.
std::string why_times_jump(const FlowAnalysis& analysis, const ClockState& clock) {
    const bool of_sender = analysis.sender_log != nullptr and analysis.sender_log->clock_was_set();
    const bool of_receiver = analysis.receiver_log->clock_was_set();
    if (clock.kind == ClockState::Kind::one_clock) {
        return of_sender or of_receiver ? "the clock of both sides was set during the run" : "";
    }
    if (clock.absolute()) {  // arrivals are told by the sender's clock
        return of_sender ? "the sender's clock was set during the run" : "";
    }
    return of_receiver and clock.kind == ClockState::Kind::relative ? "the receiver's clock was set during the run"
                                                                    : "";
}

/// Of packets whose header has no time of departure, which no sender's log has either.
void forget_delays(ReceivedFigures& received) {
    received.delay_ns = received.scheduled_delay_ns = received.pdv_ns = received.ipdv_ns = unknown_spread();
    received.ipdv_missed = std::nullopt;
}

/// Packets that were due and stayed have no delay: those of the others would leave out what a user waits longest for.
/// Nor has a flow without a schedule.
void forget_times_from_schedule(FlowResult& flow) {
    for (Spread* const spread : {flow.received ? &flow.received->scheduled_delay_ns : nullptr,
                                 flow.round_trip ? &flow.round_trip->scheduled_rtt_ns : nullptr}) {
        const bool greedy = flow.sent and flow.sent->fidelity.greedy;
        if (flow.sent and (greedy or not flow.sent->all_due_left) and spread != nullptr and spread->known) {
            *spread = unknown_spread();
            flow.schedule_forgotten = not greedy;
        }
    }
}

/// The flow at one of its receivers. `flow`: what its sender says.
FlowResult result_of(const FlowAnalysis& analysis, FlowResult flow, std::int64_t most_empty) {
    flow.clock = analysis.clock;
    if (analysis.received != nullptr) {
        flow.received = analysis.received->figures(analysis.receiver_log->totals(analysis.spec.id));
        const bool damaged = not flow.received->whole and analysis.receiver_log->has_holes();
        if (damaged) {
            flow.received->rates_unknown_because = "the receiver's log is damaged, and its totals are not there";
        }
        if (flow.received->records_missing > 0 or damaged) {
            forget_gaps(*flow.received, "records are missing between those that are there");
        }
        if (const std::string why = why_times_jump(analysis, flow.clock); not why.empty()) {
            flow.received->rates_unknown_because = why;
            forget_gaps(*flow.received, why);
        }
        if (analysis.spec.header != HeaderLevel::full and flow.received->undated > 0 and
            flow.received->delay_ns.count == 0) {
            forget_delays(*flow.received);
        }
        add_header_rates(analysis.spec.transport, analysis.data_address, *flow.received);
        flow.clock.bound = analysis.received->delay_bound().value_or(flow.clock.bound);
        if (const std::string why = why_clocks_are_mixed(flow.clock, analysis.receiver_log->totals(analysis.spec.id));
            not why.empty()) {
            forget_times(*flow.received, why);
        }
    }
    flow.loss = loss_of(flow.sent, flow.received, flow.spec.transport);
    if (analysis.received != nullptr) {
        flow.loss.before_host = lost_before_host(flow, analysis.shares_a_socket);
        flow.loss_pattern = loss_pattern_of(*analysis.received, flow);
    } else {
        flow.loss_pattern.unknown_because = flow.loss.unknown_because;
    }
    add_measured(analysis, flow);
    forget_times_from_schedule(flow);
    SeriesKnowledge known = known_of(analysis, flow);
    known.most_empty = most_empty;
    flow.series = KnownSeries(analysis.kept_series, known);
    flow.notes = notes_on(flow);
    return flow;
}

/// The flow at each of its receivers. `most_empty`: as of SeriesKnowledge, for each of them.
void add_results(const FlowAnalysis& first, std::int64_t most_empty, std::vector<FlowResult>& results) {
    std::vector<const FlowAnalysis*> receivers{&first};
    for (const auto& other : first.further) {
        other->series.merge_departures(first.series);
        receivers.push_back(other.get());
    }
    std::set<std::string> hosts;
    for (const FlowAnalysis* each : receivers) {
        hosts.insert(receiver_name(*each, false));
    }
    const FlowResult departures = departures_of(first);
    std::uint32_t number = 0;
    for (const FlowAnalysis* each : receivers) {
        FlowResult result = result_of(*each, departures, most_empty);
        result.receiver = receiver_name(*each, hosts.size() < receivers.size());
        result.receiver_number = ++number;
        result.receivers = static_cast<std::uint32_t>(receivers.size());
        results.push_back(std::move(result));
    }
}

std::string joined(const std::vector<std::string>& values) {
    std::string text;
    for (const std::string& value : values) {
        text += (text.empty() ? "" : ", ") + value;
    }
    return text;
}

GroupResult group_result(const MemberGroup& group, const std::shared_ptr<SeriesInterval>& interval,
                         std::int64_t most_empty) {
    GroupResult result{.name = joined(group.values), .values = group.values, .flows = {}, .total = {}};
    for (const Member& member : group.members) {
        result.flows.emplace_back(member.result->spec.id, member.result->receiver_number);
    }
    result.total = total_of(group.members, interval, most_empty);
    return result;
}

/// The analyses of run.flows, in the same order.
Members members_of(const FlowAnalyses& flows, const RunResult& run) {
    Members members;
    members.reserve(run.flows.size());
    const auto add = [&](const FlowAnalysis& analysis, bool first) {
        members.push_back({&analysis, &run.flows[members.size()], first});
    };
    for (const auto& [id, analysis] : flows) {
        add(*analysis, true);
        for (const auto& further : analysis->further) {
            add(*further, false);
        }
    }
    return members;
}

}  // namespace

void conclude(const FlowAnalyses& flows, const std::shared_ptr<SeriesInterval>& interval, RunResult& run) {
    std::size_t series = 0;
    run.flows.reserve(flows.size());
    for (const auto& [id, analysis] : flows) {
        series += 1 + analysis->further.size();
    }
    const auto most_empty = kMostEmptyIntervals / static_cast<std::int64_t>(std::max<std::size_t>(series, 1));
    for (const auto& [id, analysis] : flows) {
        add_results(*analysis, most_empty, run.flows);
    }
    const Members members = members_of(flows, run);
    run.total = total_of(members, interval);
    run.clock = run.total.clock;
    const auto groups = run.group_keys.empty() ? std::vector<MemberGroup>() : grouped(members, run.group_keys);
    const auto share = kMostEmptyIntervals / static_cast<std::int64_t>(std::max<std::size_t>(groups.size(), 1));
    for (const MemberGroup& group : groups) {
        run.groups.push_back(group_result(group, interval, share));
    }
    run.interval = interval->length();
}

bool totals_contradict_records(const RunResult& run) {
    const auto contradict = [](const auto& side) {
        return side and (side->records_missing > 0 or side->records_beyond > 0);
    };
    return std::any_of(run.flows.begin(), run.flows.end(),
                       [&](const FlowResult& flow) { return contradict(flow.sent) or contradict(flow.received); });
}

}  // namespace groma
