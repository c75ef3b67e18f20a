// The origin of the figures in the HTML report: logs, hosts, versions, seeds, clocks, and errors in them.
#pragma once

#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// Logs with hosts, programs, timestamps and ends; run id, seed, interval; clocks.
[[nodiscard]] std::string html_origin(const RunResult& run);

/// Damage, events and notes; nothing when there is none.
[[nodiscard]] std::string html_errors(const RunResult& run);

/// The flows as the logs have them, every option of each, to be opened; not of very many.
[[nodiscard]] std::string html_flow_specs(const RunResult& run);

}  // namespace groma
