// The parameters of a family under which a sample is most likely. Closed forms if they exist; other equations are
// solved to about 1e-9 of the parameter. common/model/families has the formulas.
#pragma once

#include <optional>

#include "common/model/distributions/distribution.hpp"
#include "common/model/families/parameters.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

/// Empty if a family has no such parameters within the limits of models (docs/reference/models.md): all values equal, a
/// location below 0, ... `limits` are further arguments of the family. Requires: a sample of at least one value.
template <typename Family, typename... Limits>
[[nodiscard]] std::optional<Family> likeliest(const Sample& sample, Limits... limits) {
    std::optional<Family> found = Family::likeliest(sample, limits...);
    return found and error_of(*found).empty() ? found : std::nullopt;
}

/// ln of the probability of the sample, where each value stands for all that round to it: comparable between families
/// with a density and those without. Finite.
[[nodiscard]] double log_likelihood(const Sample& sample, const Distribution& distribution);

}  // namespace groma
