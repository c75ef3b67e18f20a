// Judges a trial of a search: was the rate kept, and if not, by whose fault? Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sender/report/run_report.hpp"

namespace groma {

enum class TrialResult : std::uint8_t {
    kept,
    missed,       ///< a requirement on what arrived is not met
    not_sendable  ///< this host, or the connection, did not send as asked, and nothing else is missed
};

/// "kept", "missed", "not_sendable".
[[nodiscard]] std::string_view to_string(TrialResult result);

struct TrialVerdict {
    TrialResult result = TrialResult::kept;
    std::string why{};  ///< the first that was missed, in a sentence; empty when kept
};

/// By the run's requirements. How exactly it was sent counts as well: flows that did not run to their end, packets that
/// were not sent, a rate or lateness that is not as asked (common/log/faithfulness.hpp), unless a requirement on rate,
/// lateness, `unsent` or `missed` takes its place. Throws: RunError when the trial decides nothing, as a flow or
/// session failed, nothing arrived, or a required figure of what arrived is unknown.
[[nodiscard]] TrialVerdict judge_trial(const SendReport& report);

}  // namespace groma
