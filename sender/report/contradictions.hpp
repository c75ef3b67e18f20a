// Compares a receiver's figures with the sent ones. A contradiction means that the receiver is faulty or lies, or that
// its answer was altered. Pure.
#pragma once

#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// Returns: the first one, as "the receiver's counts contradict what was sent: ..."; empty: none.
[[nodiscard]] std::string contradiction(const FlowReport& flow, const ReceivedFlow& received);

}  // namespace groma
