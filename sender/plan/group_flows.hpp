// Flows to multicast groups: what all receivers of one must be told alike, and how they are told apart afterwards.
#pragma once

#include <string_view>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// The port of a multicast flow that asks for none: of its range, or of the dynamic ports (RFC 6335, 6), the same
/// whenever it is asked for. Flows with neighbouring ids get neighbouring ports.
[[nodiscard]] std::uint16_t group_port(const FlowSpec& flow, std::string_view run_id);

/// Every receiver of a flow by itself: one flow for each, whose target it is. Flows with one receiver stay as they are.
[[nodiscard]] std::vector<FlowSpec> one_for_each_receiver(const std::vector<FlowSpec>& flows);

}  // namespace groma
