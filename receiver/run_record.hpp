// A receiver's texts about a run, for its log and its operator. Pure.
#pragma once

#include <string>
#include <vector>

#include "common/control/messages.hpp"
#include "common/log/run_metadata.hpp"
#include "receiver/log_target.hpp"
#include "receiver/receiving_run.hpp"
#include "receiver/session_server.hpp"

namespace groma {

[[nodiscard]] RunMetadata run_metadata(const Hello& hello, const ReceivingRun& run,
                                       const SessionEnvironment& environment);

/// `end`: as in the log: "complete", "interrupted", "peer lost: ...".
[[nodiscard]] std::vector<LogEvent> closing_events(const std::string& end, const std::vector<ReceivedFlow>& flows,
                                                   WallTime now);
[[nodiscard]] LogTotals closing_totals(const std::string& end, const std::vector<ReceivedFlow>& flows, WallTime now);

/// One line each for the operator.
[[nodiscard]] std::string begin_in_words(const Hello& hello, const ReceivingRun& run, const LogTarget& target);
[[nodiscard]] std::string end_in_words(const std::string& end, const ReceiverResults& results);

}  // namespace groma
