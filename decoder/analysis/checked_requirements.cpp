#include "decoder/analysis/checked_requirements.hpp"

#include <string_view>

namespace groma {

namespace {

std::optional<std::uint64_t> unsent(const SentFigures& sent) {
    std::uint64_t all = 0;
    for (const std::string_view name : {"dropped", "too_big", "given_up"}) {
        const auto count = sent.counter(name);
        if (not count) {
            return std::nullopt;
        }
        all += *count;
    }
    return all + sent.counter("missed_in_queue").value_or(0);  // older logs have none
}

void add(FlowToCheck& one, RequiredFigure first, const Spread& spread) {
    if (spread.known and spread.count > 0) {
        const auto ns = [](std::int64_t value) { return static_cast<double>(value); };
        one.add_times(first, {ns(spread.p50), ns(spread.p90), ns(spread.p99), ns(spread.p999), ns(spread.max)});
    }
}

void add_times(FlowToCheck& one, const FlowResult& flow) {
    one.round_trip = flow.spec.meter == Meter::round_trip and flow.receiver_number == 1;
    if (flow.round_trip) {
        add(one, RequiredFigure::rtt_p50, flow.round_trip->rtt_ns);
    }
    if (not flow.received) {
        one.times_unknown_because = "because the receiver's log is not there";
        return;
    }
    if (flow.clock.absolute()) {
        add(one, RequiredFigure::delay_p50, flow.received->delay_ns);
    } else {
        one.times_unknown_because = "because the clocks are not related";
    }
    if (flow.received->jitter_rfc3550_mean_ns) {
        one.times_ns[RequiredFigure::jitter] = *flow.received->jitter_rfc3550_mean_ns;
    }
}

}  // namespace

std::vector<CheckedRequirement> checked_requirements(const std::vector<Requirement>& required,
                                                     const std::vector<FlowResult>& flows) {
    std::vector<FlowToCheck> known;
    for (const FlowResult& flow : flows) {
        FlowToCheck one{.name = flow.spec.name};
        if (flow.sent) {
            one.fidelity = &flow.sent->fidelity;
            one.lost = flow.loss.packets;
            if (not flow.loss.packets) {
                one.loss_unknown_because = "(" + flow.loss.unknown_because + ")";
            }
            one.ran_to_its_end = flow.sent->counter("ended_early") == 0U;
            if (flow.sent->counter("ended_early").value_or(0) == 0) {  // older logs do not say
                one.unsent = unsent(*flow.sent);
                one.missed = flow.sent->whole and not flow.sent->selected
                                 ? std::optional(flow.sent->counter("missed_slots").value_or(0))
                                 : std::nullopt;
            }
        }
        add_times(one, flow);
        known.push_back(std::move(one));
    }
    return check_requirements(required, known);
}

}  // namespace groma
