// Figures of hosts' kernel clocks and of a program's CPU usage.
#pragma once

#include "common/figures/figure.hpp"
#include "common/model/clock_health.hpp"
#include "common/os/usage.hpp"

namespace groma {

[[nodiscard]] const FigureTable<ClockHealth>& clock_health_figures();
[[nodiscard]] const FigureTable<CpuUsage>& usage_figures();

}  // namespace groma
