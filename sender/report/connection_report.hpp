// What connections came to, as their kernel tells it at the end: of TCP and MPTCP (of its first subflow).
#pragma once

#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// "network 85 %, receive window 12 %, send buffer 3 %": of the time that the connection was busy, the largest first.
/// Requires: it was.
[[nodiscard]] std::string limits_in_words(const SendLimits& limits);

/// A line of each shown flow that tells its limits, and of all together; empty if there is none.
[[nodiscard]] std::string connections_text(const SendReport& report);

/// "TCP was limited by: network 85 %, ..." of the flows that go as fast as possible; empty if none of them tells it.
[[nodiscard]] std::string bulk_limits_text(const SendReport& report);

}  // namespace groma
