#include "decoder/results/run_verdict.hpp"

#include <fmt/format.h>

#include <string_view>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr double kWorst = 1e300;

void add_requirements(const RunResult& run, RunVerdict& verdict) {
    std::size_t broken = 0;
    std::string first;
    for (const CheckedRequirement& one : run.requirements) {
        if (not one.met) {
            first = broken++ == 0 ? one.sentence() : first;
        }
    }
    if (broken == 0 or (verdict.worst and verdict.worst->result == Faithfulness::not_as_asked)) {
        return;
    }
    if (broken > 1) {
        first += fmt::format(", and {} more", broken - 1);
    }
    verdict.worst = not_as_asked(first, static_cast<double>(broken));
    verdict.text = verdict.worst->text;
}

/// By what the logs count.
Strangers strangers_at(const FlowResult& flow) {
    Strangers strangers;
    const auto add = [&](const auto& side, std::string_view before) {
        const auto count = [&](std::string_view name) {
            return side->counter(fmt::format("{}{}", before, name)).value_or(0);
        };
        if (side) {
            strangers.add(flow.spec.seal == Sealing::on, count("forged_packets"),
                          count("foreign_packets") + count("malformed_packets"));
        }
    };
    add(flow.received, "");
    add(flow.sent, "returned_");
    return strangers;
}

}  // namespace

std::optional<Judgement> judge(const FlowResult& flow) {
    if (not flow.sent or not flow.sent->whole) {
        return std::nullopt;
    }
    const SentFigures& sent = *flow.sent;
    if (const std::uint64_t packets = sent.unsent(); packets > 0) {
        return not_as_asked(counted(packets, "packet") + " could not be sent", static_cast<double>(packets));
    }
    if (const std::uint64_t missed = sent.counter("missed_slots").value_or(0); missed > 0) {
        return not_as_asked(
            fmt::format("{} {} missed and not sent", counted(missed, "departure"), by_count(missed, "was", "were")),
            static_cast<double>(missed));
    }
    if (sent.counter("ended_early").value_or(0) > 0) {
        return not_as_asked("it did not run to its end", kWorst);
    }
    if (const Strangers strangers = strangers_at(flow); strangers.packets() > 0) {
        return not_as_asked(in_words(strangers), static_cast<double>(strangers.packets()));
    }
    const Judgement rate = judge_rate(sent.fidelity);
    const Judgement lateness = judge_lateness(sent.fidelity);
    return is_worse(lateness, rate) ? lateness : rate;
}

RunVerdict judge(const RunResult& run) {
    RunVerdict verdict;
    Judgement worst;
    std::string name;
    bool all_greedy = true;
    bool all_wait = true;  // for replies
    for (const FlowResult& flow : run.flows) {
        if (flow.receiver_number > 1) {
            continue;
        }
        ++verdict.flows;
        const auto one = judge(flow);
        if (not one) {
            ++verdict.unknown;
            continue;
        }
        all_greedy = all_greedy and flow.sent->fidelity.greedy;
        all_wait = all_wait and flow.spec.in_flight > 0;
        verdict.as_asked += one->result == Faithfulness::as_asked ? 1 : 0;
        if (is_worse(*one, worst)) {
            worst = *one;
            name = flow.spec.name;
        }
    }
    if (worst.result != Faithfulness::as_asked or (verdict.unknown == 0 and verdict.flows > 0)) {
        if (all_greedy and worst.result == Faithfulness::as_asked) {
            worst.text = all_wait ? kAsRepliesCame : kAsFastAsPossible;
        }
        verdict.worst = worst;
        verdict.text = worst.text;
        if (verdict.flows > 1 and not name.empty()) {
            verdict.text += fmt::format(" (flow '{}', the worst; {} of {} flows were as asked)", plain_text(name, 100),
                                        verdict.as_asked, verdict.flows);
        }
    } else {
        verdict.text = fmt::format("unknown: of {} of {} there is no whole log of the sender", verdict.unknown,
                                   counted(verdict.flows, "flow"));
    }
    add_requirements(run, verdict);
    return verdict;
}

}  // namespace groma
