// A probability distribution as a value: what a user wrote, can be compared, printed, sent and kept in a log. Drawing
// from it is the sampler's work (common/model/distributions/sampler.hpp).
#pragma once

#include "common/model/distributions/mixture.hpp"

namespace groma {

template <typename Variant>
struct OrMixture;
template <typename... Families>
struct OrMixture<std::variant<Families...>> {
    using Type = std::variant<Families..., Mixture>;
};

/// One of the simple families, or a mixture of them.
using Distribution = OrMixture<SimpleDistribution>::Type;

}  // namespace groma
