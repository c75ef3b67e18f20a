// The parameters of a family under which what was observed is most likely. Closed forms where there are; the equations
// of the others are solved to about 1e-9 of the parameter. The formulas stand with the families
// (common/model/families).
#pragma once

#include <optional>

#include "common/model/distributions/distribution.hpp"
#include "common/model/families/parameters.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

/// Nothing where a family has no such parameters within what models take (docs/reference/models.md): all values equal,
/// a location below 0, ... `limits` are what the family takes besides. Requires: a sample of at least one value.
template <typename Family, typename... Limits>
[[nodiscard]] std::optional<Family> likeliest(const Sample& sample, Limits... limits) {
    std::optional<Family> found = Family::likeliest(sample, limits...);
    return found and error_of(*found).empty() ? found : std::nullopt;
}

/// ln of the probability of the sample, each value standing for all that is rounded to it: comparable between families
/// with a density and those without. Finite.
[[nodiscard]] double log_likelihood(const Sample& sample, const Distribution& distribution);

}  // namespace groma
