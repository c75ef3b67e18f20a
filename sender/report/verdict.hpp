// Judges whether a run was sent as requested: one line for people, one word for programs. docs/reference/metrics.md has
// the rule and its reasons.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/log/faithfulness.hpp"
#include "sender/engine/engine_flow.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

struct Verdict : Judgement {
    Verdict() = default;
    Verdict(Judgement judgement) : Judgement(std::move(judgement)) {}  // without causes

    std::vector<std::string> causes{};  ///< for a late run: possible causes (lateness_causes.hpp), also in `text`
};

/// The verdict on one flow.
[[nodiscard]] Verdict judge(const FlowOutcome& outcome);

/// The worst of the flows' verdicts, so that good ones do not hide a bad one. With several flows it names the worst and
/// counts those sent as requested.
[[nodiscard]] Verdict judge(const std::vector<FlowReport>& flows);

/// The same for a run. An unmet requirement makes it "not as asked"; a late run gets its causes.
[[nodiscard]] Verdict judge(const SendReport& report);

}  // namespace groma
