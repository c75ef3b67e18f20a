// The metrics of what groma-send sends, a row each (docs/reference/openmetrics.md).
#pragma once

#include <span>

#include "common/metrics/metric_row.hpp"
#include "sender/run/live_run.hpp"

namespace groma {

[[nodiscard]] std::span<const MetricRow<SentSoFar>> sender_metrics();

}  // namespace groma
