// CPU usage of the program that wrote a log, as counters of the log's totals (docs/reference/log-format.md).
#pragma once

#include <optional>

#include "common/log/run_metadata.hpp"
#include "common/os/usage.hpp"

namespace groma {

/// Adds the usage to the counters of the first flow; does nothing without a flow.
void add_cpu_usage(LogTotals& totals, const CpuUsage& usage);

/// Empty if the log's writer did not record all of it.
[[nodiscard]] std::optional<CpuUsage> cpu_usage_of(const LogTotals& totals);

}  // namespace groma
