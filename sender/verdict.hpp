// Was it sent as asked? One line for people, one word for programs (docs/metrics.md has the rule and its reasons).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sender/run_report.hpp"
#include "sender/send_engine.hpp"

namespace groma {

/// The rate sent may differ from the scheduled one by so much, as a ratio, to be as asked or "within".
inline constexpr double kRateAsAsked = 0.001;
inline constexpr double kRateWithin = 0.01;
/// The p99 of lateness may be a tenth of the flow's mean gap, or so much if that is more, to be as asked; ten times
/// that to be "within". A rate that is off by no more than this lateness can explain is not held against a short flow.
inline constexpr double kLatenessShareOfGap = 0.1;
inline constexpr Nanos kLatenessFloor = std::chrono::microseconds(100);
inline constexpr double kLatenessWithin = 10;

enum class Faithfulness : std::uint8_t { as_asked, within, not_as_asked };

struct Verdict {
    Faithfulness result = Faithfulness::as_asked;
    std::string text;     ///< "as asked", "as asked within 0.2 % of the rate", "not as asked: ..."
    double severity = 0;  ///< how far beyond the limits, to compare verdicts of the same result
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

/// "as_asked", "within", "not_as_asked".
[[nodiscard]] std::string_view to_string(Faithfulness result);

}  // namespace groma
