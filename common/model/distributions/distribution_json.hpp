// Distributions as JSON objects: {"family": "exp", "mean": 500000.0}. Parameters are in nanoseconds or bytes.
#pragma once

#include "common/json/describe.hpp"
#include "common/model/distributions/distribution.hpp"

namespace groma {

template <typename Fields>
void describe(Fields& fields, As<Fields, Distribution>& distribution);

}  // namespace groma
