// Flows to multicast groups: the values that all receivers of a flow share, and the split into one flow per receiver.
#pragma once

#include <string_view>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// The port of a multicast flow without a given port: from its range, or from the dynamic ports (RFC 6335, 6).
/// Deterministic. Flows with neighbouring ids get neighbouring ports.
[[nodiscard]] std::uint16_t group_port(const FlowSpec& flow, std::string_view run_id);

/// Splits each flow into one flow per receiver. Flows with one receiver stay unchanged.
[[nodiscard]] std::vector<FlowSpec> one_for_each_receiver(const std::vector<FlowSpec>& flows);

}  // namespace groma
