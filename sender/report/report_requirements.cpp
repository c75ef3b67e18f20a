#include "sender/report/report_requirements.hpp"

#include <algorithm>
#include <optional>

namespace groma {

namespace {

std::string_view loss_hidden(const FlowReport& flow) {
    return not flow.received or flow.tells_copies()
               ? ""
               : "because it has packets without a sequence number, whose copies hide losses";
}

std::string_view delays_hidden(const std::optional<ReceivedFlow>& received) {
    if (not received) {
        return "because a receiver of it sent no results";
    }
    if (received->packets == 0) {
        return kNothingArrived;
    }
    return received->delays and received->delays->packets > 0
               ? ""
               : "because the clocks are not related, or its packets carry no time of departure";
}

/// Of several receivers, the largest of each figure.
void add_delays(FlowToCheck& flow, const FlowReport& report) {
    for (const std::optional<ReceivedFlow>& received : report.told()) {
        flow.times_unknown_because = delays_hidden(received);
        if (not flow.times_unknown_because.empty()) {
            flow.times_ns.clear();
            return;
        }
        const ArrivalDelays& delays = *received->delays;
        const auto ns = [&delays](Nanos beyond_min) { return static_cast<double>((delays.min + beyond_min).count()); };
        flow.add_times(RequiredFigure::delay_p50,
                       {ns(delays.p50), ns(delays.p90), ns(delays.p99), ns(delays.p999), ns(delays.max)});
        if (delays.jitter_ns) {
            double& jitter = flow.times_ns[RequiredFigure::jitter];
            jitter = std::max(jitter, *delays.jitter_ns);
        }
    }
}

void add_round_trips(FlowToCheck& flow, const FlowReport& report) {
    flow.round_trip = report.spec.meter == Meter::round_trip;
    const std::optional<RoundTrip>& back = report.outcome.round_trip;
    if (not back or back->rtt_ns.count() == 0) {
        if (flow.round_trip and flow.times_unknown_because.empty()) {
            flow.times_unknown_because = "because no reply with a time came";
        }
        return;
    }
    const auto ns = [&back](double share) { return static_cast<double>(back->rtt_ns.percentile(share)); };
    flow.add_times(RequiredFigure::rtt_p50, {ns(0.5), ns(0.9), ns(0.99), ns(0.999), ns(1)});
}

}  // namespace

std::vector<CheckedRequirement> checked_requirements(const SendReport& report) {
    if (report.required.empty()) {
        return {};
    }
    std::vector<FlowToCheck> flows;
    flows.reserve(report.flows.size());
    for (const FlowReport& flow : report.flows) {
        const FlowOutcome& outcome = flow.outcome;
        const bool whole = outcome.counts.ran_to_its_end();
        flows.push_back({.name = flow.spec.name,
                         .fidelity = &outcome.fidelity,
                         .lost = flow.lost().number,
                         .loss_unknown_because = std::string(loss_hidden(flow)),
                         .missed = whole ? std::optional(outcome.counts.missed_slots) : std::nullopt,
                         .unsent = whole ? std::optional(outcome.counts.unsent()) : std::nullopt,
                         .ran_to_its_end = whole});
        add_delays(flows.back(), flow);
        add_round_trips(flows.back(), flow);
    }
    return check_requirements(report.required, flows);
}

std::string requirements_text(const SendReport& report) {
    std::string out;
    for (const CheckedRequirement& one : checked_requirements(report)) {
        out.append(one.met ? "  met: " : "  not met: ").append(one.sentence()).append("\n");
    }
    return out.empty() ? out : "\nRequired\n" + out;
}

}  // namespace groma
