// The keys of sealed flows, which seal their packets (common/wire/packet_format.hpp).
#pragma once

#include <unordered_map>
#include <vector>

#include "common/base/token.hpp"
#include "common/model/flow/flow_spec.hpp"

namespace groma {

using FlowSecrets = std::unordered_map<FlowId, Token>;

/// Draws a key for each sealed flow; those that share an association share its key. Throws: SystemError.
[[nodiscard]] FlowSecrets draw_secrets(const std::vector<FlowSpec>& flows);

}  // namespace groma
