// The inter-departure times that a flow was asked for, as points of their distribution function: for plots beside the
// gaps that were sent.
#pragma once

#include <vector>

#include "common/model/distributions/quantile.hpp"

namespace groma {

/// Points in rising order of P(gap <= x) for x >= 0 (negative draws become 0, docs/reference/models.md; so do gaps
/// below 1e-6 ns): about 200 evenly spread over probability; towards both ends further ones, at halves, quarters, ...
/// of the outermost probability, down to `rarest`. At a step there are two points at the same x. Requires: rarest > 0.
[[nodiscard]] std::vector<CdfPoint> asked_gaps(const Distribution& idt, double rarest);

}  // namespace groma
