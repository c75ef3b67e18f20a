#include "sender/search/trial_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/faithfulness.hpp"
#include "sender/report/contradictions.hpp"
#include "sender/report/network_verdict.hpp"
#include "sender/report/report_requirements.hpp"

namespace groma {

namespace {

/// Of the sender, not of what arrived.
bool is_of_sending(RequiredFigure figure) {
    return figure <= RequiredFigure::batched or figure == RequiredFigure::missed or figure == RequiredFigure::unsent;
}

void require_whole(const SendReport& report) {
    for (const FlowReport& flow : report.flows) {
        if (flow.outcome.counts.end == FlowEnd::failed) {
            throw RunError("flow '" + plain_text(flow.spec.name, 40) + "' failed: " + plain_text(flow.outcome.error));
        }
    }
    for (const ReceiverReport& receiver : report.receivers) {
        if (not receiver.lost.empty()) {
            throw RunError("receiver " + plain_text(receiver.address) + ": " + plain_text(receiver.lost));
        }
    }
    if (const std::string what = first_contradiction(report); not what.empty()) {
        throw RunError(what);
    }
    if (const NetworkVerdict network = judge_network(report); network.result == NetworkResult::nothing) {
        throw RunError(network.text);
    }
}

class Sending {
public:
    explicit Sending(const std::vector<Requirement>& required) : required_(required) {}

    /// Why it was not as asked; empty: it was.
    [[nodiscard]] std::string fault(const FlowOutcome& outcome) const {
        const SendCounts& counts = outcome.counts;
        if (counts.cut_short) {
            return "it was cut short, for what was due could not be sent";
        }
        if (counts.unsent() > 0 and not requires_any(RequiredFigure::unsent, RequiredFigure::unsent)) {
            return counted(counts.unsent(), "packet") + " could not be sent";
        }
        if (counts.missed_slots > 0 and not requires_any(RequiredFigure::missed, RequiredFigure::missed)) {
            return fmt::format("{} {} missed and not sent", counted(counts.missed_slots, "departure"),
                               by_count(counts.missed_slots, "was", "were"));
        }
        const Judgement rate = judge_rate(outcome.fidelity);
        if (rate.result == Faithfulness::not_as_asked and
            not requires_any(RequiredFigure::rate, RequiredFigure::rate)) {
            return rate.text;
        }
        const Judgement lateness = judge_lateness(outcome.fidelity);
        return lateness.result == Faithfulness::not_as_asked and
                       not requires_any(RequiredFigure::lateness_p50, RequiredFigure::lateness_max)
                   ? lateness.text
                   : "";
    }

private:
    [[nodiscard]] bool requires_any(RequiredFigure first, RequiredFigure last) const {
        return std::ranges::any_of(required_,
                                   [&](const Requirement& one) { return one.figure >= first and one.figure <= last; });
    }

    const std::vector<Requirement>& required_;
};

std::string not_sent_as_asked(const SendReport& report) {
    for (const FlowReport& flow : report.flows) {
        if (const std::string fault = Sending(report.required).fault(flow.outcome); not fault.empty()) {
            return "flow '" + plain_text(flow.spec.name, 40) + "': " + fault;
        }
    }
    return {};
}

/// Losses that are not the network's.
std::string dropped_by_receivers(const SendReport& report) {
    std::uint64_t dropped = 0;
    for (const FlowReport& flow : report.flows) {
        for (const std::optional<ReceivedFlow>& received : flow.told()) {
            dropped += received ? received->kernel_drops : 0;
        }
    }
    return dropped == 0 ? ""
                        : fmt::format(" ({} {} dropped by a receiver's host, whose buffer was full)",
                                      counted(dropped, "packet"), by_count(dropped, "was", "were"));
}

RunError unknown_figure(const std::string& sentence) {
    return RunError(sentence + ": leave it out of --require, or see docs/reference/metrics.md for what it needs");
}

}  // namespace

std::string_view to_string(TrialResult result) {
    return result == TrialResult::kept ? "kept" : result == TrialResult::missed ? "missed" : "not_sendable";
}

TrialVerdict judge_trial(const SendReport& report) {
    require_whole(report);
    std::string missed;
    std::string not_sendable = not_sent_as_asked(report);
    std::string unknown;
    for (const CheckedRequirement& one : checked_requirements(report)) {
        if (one.met) {
            continue;
        }
        if (not one.worst and one.flow.empty()) {
            throw unknown_figure(one.sentence());  // of no flow, at any rate
        }
        const bool of_sending = is_of_sending(one.required.figure);
        const bool is_known = one.worst or one.why_unknown == kNothingArrived;
        std::string& first = of_sending ? not_sendable : is_known ? missed : unknown;
        first = first.empty() ? one.sentence() : first;
    }
    if (not missed.empty()) {
        return {TrialResult::missed, missed + dropped_by_receivers(report)};
    }
    if (not unknown.empty()) {
        throw unknown_figure(unknown);
    }
    return not_sendable.empty() ? TrialVerdict{} : TrialVerdict{TrialResult::not_sendable, not_sendable};
}

}  // namespace groma
