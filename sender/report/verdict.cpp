#include "sender/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/base/plain_text.hpp"
#include "common/model/text/human.hpp"
#include "sender/report/contradictions.hpp"
#include "sender/report/lateness_causes.hpp"
#include "sender/report/report_requirements.hpp"

namespace groma {

namespace {

/// Whether packets of the flow left late, or were not sent because they were late.
bool late(const FlowReport& flow) {
    const FlowOutcome& outcome = flow.outcome;
    return outcome.counts.cut_short or outcome.counts.missed_slots > 0 or
           judge_rate(outcome.fidelity).result != Faithfulness::as_asked or
           judge_lateness(outcome.fidelity).result != Faithfulness::as_asked;
}

Strangers strangers_at(const std::vector<FlowReport>& flows) {
    Strangers strangers;
    for (const FlowReport& flow : flows) {
        const bool sealed = flow.spec.seal == Sealing::on;
        for (const std::optional<ReceivedFlow>& one : flow.told()) {
            if (one) {
                strangers.add(sealed, one->forged, one->foreign + one->malformed);
            }
        }
        if (const auto& back = flow.outcome.round_trip) {
            strangers.add(sealed, back->forged, back->foreign + back->malformed);
        }
    }
    return strangers;
}

void name_causes(Verdict& verdict, const SendReport& report) {
    if (verdict.result == Faithfulness::as_asked or std::ranges::none_of(report.flows, late)) {
        return;
    }
    verdict.causes = lateness_causes(report);
    for (const std::string& cause : verdict.causes) {
        verdict.text.append(&cause == &verdict.causes.front() ? "; meanwhile " : ", and ").append(cause);
    }
}

}  // namespace

Verdict judge(const FlowOutcome& outcome) {
    constexpr double kWorst = 1e300;
    if (outcome.counts.end == FlowEnd::failed) {
        return not_as_asked(plain_text(outcome.error), kWorst);
    }
    if (outcome.counts.end == FlowEnd::interrupted) {
        return not_as_asked("it was interrupted", kWorst);
    }
    if (outcome.counts.cut_short) {
        return not_as_asked("it was cut short, for what was due could not be sent", kWorst);
    }
    if (const std::uint64_t unsent = outcome.counts.unsent(); unsent > 0) {
        return not_as_asked(std::to_string(unsent) + " packets could not be sent", static_cast<double>(unsent));
    }
    if (outcome.counts.missed_slots > 0) {
        return not_as_asked(std::to_string(outcome.counts.missed_slots) + " departures were missed and not sent",
                            static_cast<double>(outcome.counts.missed_slots));
    }
    const Judgement rate = judge_rate(outcome.fidelity);
    const Judgement lateness = judge_lateness(outcome.fidelity);
    return is_worse(lateness, rate) ? lateness : rate;
}

Verdict judge(const std::vector<FlowReport>& flows) {
    Verdict worst;
    if (not flows.empty() and all_greedy(flows)) {
        worst.text = how_unpaced(flows);
    }
    std::string_view name;
    std::size_t faulty = 0;
    for (const FlowReport& flow : flows) {
        Verdict verdict = judge(flow.outcome);
        faulty += verdict.result == Faithfulness::as_asked ? 0U : 1U;
        if (is_worse(verdict, worst)) {
            worst = std::move(verdict);
            name = flow.spec.name;
        }
    }
    if (flows.size() > 1 and faulty > 0) {
        worst.text += fmt::format(" (flow '{}', the worst; {} of {} flows were as asked)", plain_text(name, 40),
                                  flows.size() - faulty, flows.size());
    }
    return worst;
}

Verdict judge(const SendReport& report) {
    Verdict verdict = judge(report.flows);
    std::size_t broken = 0;
    std::string first;
    for (const CheckedRequirement& one : checked_requirements(report)) {
        if (not one.met) {
            first = first.empty() ? one.sentence() : first;
            ++broken;
        }
    }
    if (broken > 1) {
        first.append(", and ").append(std::to_string(broken - 1)).append(" more");
    }
    const std::string strangers = in_words(strangers_at(report.flows));
    if (verdict.result == Faithfulness::not_as_asked) {
        verdict.text.append(strangers.empty() ? "" : "; ").append(strangers);
    } else {
        std::string reasons;
        for (const std::string& reason : {strangers, first_contradiction(report), first}) {
            reasons.append(reasons.empty() or reason.empty() ? "" : "; ").append(reason);
        }
        verdict = reasons.empty() ? verdict : Verdict(not_as_asked(reasons, static_cast<double>(broken)));
    }
    name_causes(verdict, report);
    return verdict;
}

}  // namespace groma
