// Flow specs in control messages and in the metadata of logs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "common/model/flow_spec.hpp"

namespace groma {

[[nodiscard]] nlohmann::json to_json(const FlowSpec& spec);

/// Throws: UsageError naming the field that is missing, of the wrong type or out of bounds. The text is hostile: sizes
/// of arrays, lengths of strings and all numbers are bounded.
[[nodiscard]] FlowSpec flow_spec_from_json(const nlohmann::json& object);

}  // namespace groma
