// The inter-departure times that a flow was asked for, as points of their distribution function: for plots beside the
// gaps that were sent.
#pragma once

#include <vector>

#include "common/model/distribution.hpp"
#include "decoder/results.hpp"

namespace groma {

/// About 200 points in rising order, evenly spread over probability, of P(gap <= x) for x >= 0 (negative draws become
/// 0, docs/models.md). At a step there are two points at the same x.
[[nodiscard]] std::vector<GapPoint> asked_gaps(const Distribution& idt);

}  // namespace groma
