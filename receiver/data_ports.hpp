// The ports for flows of a receiver with --data-ports, such as those that a firewall allows. Pure.
#pragma once

#include <optional>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// Returns: the range from which the flow gets the first free port; empty: any, or the one that it requests.
/// Throws: UsageError if the flow requests a port outside the receiver's range.
[[nodiscard]] std::optional<PortRange> ports_for(const FlowSpec& flow, const std::optional<PortRange>& data_ports);

}  // namespace groma
