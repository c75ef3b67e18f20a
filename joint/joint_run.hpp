// A run of groma-send that other hosts send a part of: flows in reverse, from receivers to this host
// (docs/guide/reverse.md), and flows from hosts with an agent (docs/guide/agents.md).
#pragma once

#include "sender/daemon/remote_run.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// Of a report of which parts come from other hosts, which are untrusted: no terminal obeys anything in the text.
[[nodiscard]] RunOutput output_of(const SendReport& report, bool verbose);

/// Executes the run: flows forward from here, those in reverse from the receivers that they name, the others from their
/// agents, with one run id, a common start and one report. Thread: blocks its caller's; starts one for each host that
/// has a part, and those of a receiver and of a run. Throws: RunError with one line per error if nothing was sent.
[[nodiscard]] RunOutput run_jointly(SenderOptions options, const RemoteSurroundings& around);

}  // namespace groma
