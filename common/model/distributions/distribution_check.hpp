// Checks the parameters of a distribution: the same test for a user's text and for a peer's message.
#pragma once

#include <string>

#include "common/model/distributions/distribution.hpp"

namespace groma {

/// Returns: what is wrong with the first bad parameter ("the scale must be above 0"); empty if all are good.
[[nodiscard]] std::string parameter_error(const Distribution& distribution);

}  // namespace groma
