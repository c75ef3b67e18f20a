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
        known.push_back(std::move(one));
    }
    return check_requirements(required, known);
}

}  // namespace groma
