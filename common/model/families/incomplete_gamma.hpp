// The tails of the gamma distribution with scale 1, at a cost that does not grow with the shape.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

/// P(X <= x) = P(shape, x) or P(X > x) = Q(shape, x), the regularised incomplete gamma functions [DLMF 8.2]. Up to a
/// shape of 1000 from Boost.Math, whose series and continued fractions need up to a few times sqrt(shape) terms; above
/// by the uniform expansion for large shapes [Temme 1979; DLMF 8.12]. The relative error is below 1e-12 wherever the
/// tail is above 1e-300. Requires: shape >= 0.01 and x >= 0.
[[nodiscard]] double gamma_tail(Tail side, double shape, double x);

}  // namespace groma
