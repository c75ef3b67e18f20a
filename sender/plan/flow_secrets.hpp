// The keys of sealed flows, which seal their packets (common/wire/packet_format.hpp).
#pragma once

#include <unordered_map>
#include <vector>

#include "common/control/messages.hpp"
#include "common/model/flow/flow_spec.hpp"

namespace groma {

using FlowSecrets = std::unordered_map<FlowId, FlowSecret>;

/// Draws the keys of sealed flows that go to one receiver, those of an association with one key; a flow that goes to
/// others as well (multicast) keeps its key in `all`. Throws: SystemError.
[[nodiscard]] FlowSecrets draw_secrets(const std::vector<FlowSpec>& to_one_receiver, FlowSecrets& all);

}  // namespace groma
