// Divides the probes of two clocks into stretches between breaks: the probes of a stretch fit one line
// (offset_lines.hpp). A break is a step of a clock, or a change of its rate. Pure.
#pragma once

#include <span>
#include <vector>

#include "common/stats/clock/clock_fit.hpp"

namespace groma {

using Probes = std::span<const ProbeTimes>;

/// The probes of each stretch that were surely taken between the two breaks: where a break lies is known only within
/// the probes that fit both sides. Those that fit neither follow by themselves.
/// Requires: probes not empty, in the order in which they were taken.
[[nodiscard]] std::vector<Probes> sure_stretches(Probes probes);

}  // namespace groma
