// The metrics that every program has, of its process.
#pragma once

#include <span>
#include <string_view>

#include "common/metrics/metric_row.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct ProcessState {
    std::string_view program;  ///< "groma-recv"
    WallTime started{};
    Nanos user{0};  ///< processor time, as the next
    Nanos system{0};
};

[[nodiscard]] std::span<const MetricRow<ProcessState>> process_metrics();

}  // namespace groma
