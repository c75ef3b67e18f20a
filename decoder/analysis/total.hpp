// Several flows together: all of a run, or a group of them.
#pragma once

#include "decoder/analysis/member.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// A figure is there when it is known of every flow. `interval` of the series. The series of a flow's further receivers
/// have its departures.
[[nodiscard]] TotalResult total_of(const Members& flows, Nanos interval, std::int64_t most_empty = kMostEmptyIntervals);

}  // namespace groma
