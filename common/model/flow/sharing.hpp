// Flows that share a socket of UDP: which those are, and what their packets must have so that they can be told apart.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// The smallest packet that carries all of the header, which says of which flow it is.
inline constexpr std::uint32_t kSmallestShared = 20;

/// Whether packets of other flows go through the flow's socket as well.
[[nodiscard]] inline bool shares_datagrams(const FlowSpec& spec) noexcept {
    return spec.transport == Transport::udp and spec.options.association.has_value();
}

/// What can be sent of the flow. Draws beyond the limits become the nearest of them (docs/reference/models.md).
[[nodiscard]] inline SizeLimits size_limits(const FlowSpec& spec) noexcept {
    SizeLimits limits = size_limits(spec.transport);
    limits.smallest = shares_datagrams(spec) ? kSmallestShared : limits.smallest;
    return limits;
}

/// Why a flow that has an `association` cannot share, a sentence each.
[[nodiscard]] std::vector<std::string> sharing_errors(const FlowSpec& spec);

/// Gives flows over UDP an `association` where more than `most_own` of them go to one receiver and it changes nothing
/// of what they send: those of the same options, next to each other, in groups of `flows_per_socket`. Returns: how many
/// flows have one now that had none.
std::size_t share_sockets(std::vector<FlowSpec>& flows, std::size_t most_own, std::size_t flows_per_socket);

/// Sockets that a run of these flows opens at its sender.
[[nodiscard]] std::size_t sockets_of(const std::vector<FlowSpec>& flows);

}  // namespace groma
