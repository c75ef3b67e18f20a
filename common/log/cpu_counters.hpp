// What a run has cost the program that wrote a log, among the counters of its totals (docs/reference/log-format.md).
#pragma once

#include <optional>

#include "common/log/run_metadata.hpp"
#include "common/os/usage.hpp"

namespace groma {

/// Adds it to the counters of the first flow. Without a flow there is no place for it.
void add_cpu_usage(LogTotals& totals, const CpuUsage& usage);

/// Nothing when the log's writer did not say it, or not all of it.
[[nodiscard]] std::optional<CpuUsage> cpu_usage_of(const LogTotals& totals);

}  // namespace groma
