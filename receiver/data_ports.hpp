// Which ports a flow may get of a receiver that gives away some only (--data-ports), such as those that a firewall lets
// through. Pure.
#pragma once

#include <optional>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// Returns: the ports that the flow is to be given the first free one of; nothing: any, or the one that it asks for.
/// Throws: UsageError when the flow asks for a port that the receiver does not give away.
[[nodiscard]] std::optional<PortRange> ports_for(const FlowSpec& flow, const std::optional<PortRange>& data_ports);

}  // namespace groma
