// Was it sent as asked? One line for people, one word for programs (docs/reference/metrics.md has the rule and its
// reasons).
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
    Verdict(Judgement judgement) : Judgement(std::move(judgement)) {}  // one without causes

    std::vector<std::string>
        causes{};  ///< of a run that was late: what can explain it (lateness_causes.hpp), in `text` too
};

/// The verdict on one flow.
[[nodiscard]] Verdict judge(const FlowOutcome& outcome);

/// The worst of the flows' verdicts, so that good ones do not hide a bad one; of several flows it names the
/// worst and says how many were as asked.
[[nodiscard]] Verdict judge(const std::vector<FlowReport>& flows);

/// The same of a run, of which more may have been required: what is not met makes it not as asked. Of one that was late
/// it names what its host did to it meanwhile.
[[nodiscard]] Verdict judge(const SendReport& report);

}  // namespace groma
