// Whether the parameters of a distribution make sense: the same test for what a user wrote and for what a peer sent.
#pragma once

#include <string>

#include "common/model/distributions/distribution.hpp"

namespace groma {

/// Returns: what is wrong with the first bad parameter ("the scale must be above 0"); empty when all are good.
[[nodiscard]] std::string parameter_error(const Distribution& distribution);

}  // namespace groma
