// What a receiver says about a run, in its log and to whoever watches it: values made of values.
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

/// `end` is the log's: "complete", "interrupted", "peer lost: ...".
[[nodiscard]] std::vector<LogEvent> closing_events(const std::string& end, const std::vector<ReceivedFlow>& flows,
                                                   WallTime now);
[[nodiscard]] LogTotals closing_totals(const std::string& end, const std::vector<ReceivedFlow>& flows, WallTime now);

/// A line each for whoever runs the receiver.
[[nodiscard]] std::string begin_in_words(const Hello& hello, const ReceivingRun& run, const LogTarget& target);
[[nodiscard]] std::string end_in_words(const std::string& end, const ReceiverResults& results);

}  // namespace groma
