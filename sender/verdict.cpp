#include "sender/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/plain_text.hpp"
#include "common/cli/human.hpp"
#include "sender/lateness_causes.hpp"
#include "sender/requirements.hpp"

namespace groma {

namespace {

Verdict not_as_asked(const std::string& reason, double severity) {
    return {.result = Faithfulness::not_as_asked, .text = "not as asked: " + reason, .severity = severity};
}

double lateness_limit_ns(const Fidelity& fidelity) {
    const double floor = static_cast<double>(kLatenessFloor.count());
    return fidelity.scheduled_pps > 0 ? std::max(floor, kLatenessShareOfGap * 1e9 / fidelity.scheduled_pps) : floor;
}

Verdict judge_rate(const Fidelity& fidelity) {
    // Without rates there is nothing to compare but lateness: fewer than two packets, or all at one instant.
    const double error = fidelity.rate_error().value_or(0);
    const double span_ns =
        fidelity.scheduled_pps > 0 ? static_cast<double>(fidelity.packets - 1) / fidelity.scheduled_pps * 1e9 : 0;
    if (error <= kRateAsAsked or error * span_ns <= lateness_limit_ns(fidelity)) {
        return {.result = Faithfulness::as_asked, .text = "as asked", .severity = 0};
    }
    const double severity = error / kRateAsAsked;
    const std::string percent = significant(100 * error, 2);
    if (error <= kRateWithin) {
        return {.result = Faithfulness::within,
                .text = fmt::format("as asked within {} % of the rate", percent),
                .severity = severity};
    }
    const std::string_view way = fidelity.sent_pps < fidelity.scheduled_pps ? "below" : "above";
    return not_as_asked(fmt::format("the rate sent was {} % {} the one asked for", percent, way), severity);
}

constexpr double kP99 = 0.99;

Verdict judge_lateness(const Fidelity& fidelity) {
    const double limit = lateness_limit_ns(fidelity);
    // Packets whose records were lost count as later than all others: they may have been.
    const std::uint64_t known = fidelity.lateness_ns.count();
    const double rank = kP99 * static_cast<double>(fidelity.packets);
    if (rank > static_cast<double>(known)) {
        return not_as_asked(fmt::format("nobody knows how late {} of {} packets left, for there are no records of them",
                                        fidelity.packets - known, fidelity.packets),
                            kLatenessWithin + 1);
    }
    const double share = known < fidelity.packets ? rank / static_cast<double>(known) : kP99;
    const auto p99 = static_cast<double>(fidelity.lateness_ns.percentile(share));
    if (p99 <= limit) {
        return {.result = Faithfulness::as_asked, .text = "as asked", .severity = 0};
    }
    const std::string late = human_time(Nanos(std::llround(p99)));
    if (p99 <= kLatenessWithin * limit) {
        return {.result = Faithfulness::within, .text = "as asked within " + late, .severity = p99 / limit};
    }
    return not_as_asked(fmt::format("1 % of the packets left {} late or more, {} is allowed", late,
                                    human_time(Nanos(std::llround(limit)))),
                        p99 / limit);
}

bool worse(const Verdict& a, const Verdict& b) {
    return a.result != b.result ? a.result > b.result : a.severity > b.severity;
}

/// Whether packets of it left late, or not at all for want of time.
bool late(const FlowReport& flow) {
    const FlowOutcome& outcome = flow.outcome;
    return outcome.cut_short or outcome.missed_slots > 0 or
           judge_rate(outcome.fidelity).result != Faithfulness::as_asked or
           judge_lateness(outcome.fidelity).result != Faithfulness::as_asked;
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
    if (outcome.end == FlowEnd::failed) {
        return not_as_asked(plain_text(outcome.error), kWorst);
    }
    if (outcome.end == FlowEnd::interrupted) {
        return not_as_asked("it was interrupted", kWorst);
    }
    if (outcome.cut_short) {
        return not_as_asked("it was cut short, for what was due could not be sent", kWorst);
    }
    if (const std::uint64_t unsent = outcome.unsent(); unsent > 0) {
        return not_as_asked(std::to_string(unsent) + " packets could not be sent", static_cast<double>(unsent));
    }
    if (outcome.missed_slots > 0) {
        return not_as_asked(std::to_string(outcome.missed_slots) + " departures were missed and not sent",
                            static_cast<double>(outcome.missed_slots));
    }
    const Verdict rate = judge_rate(outcome.fidelity);
    const Verdict lateness = judge_lateness(outcome.fidelity);
    return worse(lateness, rate) ? lateness : rate;
}

Verdict judge(const std::vector<FlowReport>& flows) {
    Verdict worst{.result = Faithfulness::as_asked, .text = "as asked", .severity = 0};
    std::string_view name;
    std::size_t faulty = 0;
    for (const FlowReport& flow : flows) {
        Verdict verdict = judge(flow.outcome);
        faulty += verdict.result == Faithfulness::as_asked ? 0U : 1U;
        if (worse(verdict, worst)) {
            worst = std::move(verdict);
            name = flow.spec.name;
        }
    }
    if (flows.size() > 1 and faulty > 0) {
        worst.text += fmt::format(" (flow '{}', the worst; {} of {} flows were as asked)", plain_text(name),
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
    if (broken > 0 and verdict.result != Faithfulness::not_as_asked) {
        verdict = not_as_asked(first, static_cast<double>(broken));
    }
    name_causes(verdict, report);
    return verdict;
}

std::string_view to_string(Faithfulness result) {
    switch (result) {
        case Faithfulness::as_asked:
            return "as_asked";
        case Faithfulness::within:
            return "within";
        case Faithfulness::not_as_asked:
            break;
    }
    return "not_as_asked";
}

}  // namespace groma
