// Distributions as JSON objects: {"family": "exp", "mean": 500000.0}. Parameters are in nanoseconds or bytes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/model/distribution.hpp"

namespace groma {

[[nodiscard]] nlohmann::json to_json(const Distribution& distribution);

/// Throws: UsageError that starts with `field` when the object is not a distribution or a parameter is out of bounds.
[[nodiscard]] Distribution distribution_from_json(const nlohmann::json& object, const std::string& field);

}  // namespace groma
