#include "sender/report/report_requirements.hpp"

namespace groma {

namespace {

std::string_view loss_hidden(const FlowReport& flow) {
    return not flow.received or flow.tells_copies()
               ? ""
               : "because it has packets without a sequence number, whose copies hide losses";
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
