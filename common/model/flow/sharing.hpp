// Flows that share a UDP socket: which ones may, and what their packets need to be told apart. Pure functions; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/model/flow/sealing.hpp"

namespace groma {

/// The smallest packet with the complete header, which identifies the flow.
inline constexpr std::uint32_t kSmallestShared = 20;

/// Whether packets of other flows go through the flow's socket as well.
[[nodiscard]] inline bool shares_datagrams(const FlowSpec& spec) noexcept {
    return traits(spec.transport).sharing == SocketSharing::by_header and spec.options.association.has_value();
}

/// Sizes that the flow can send. Draws beyond the limits become the nearest limit (docs/reference/models.md). Where
/// responses have sizes of their own, and in a closed loop, each packet says which one it is; the limits are those of
/// responses as well. A sealed flow has no packets without a seal.
[[nodiscard]] inline SizeLimits size_limits(const FlowSpec& spec) noexcept {
    SizeLimits limits = size_limits(spec.transport);
    if (has_transactions(spec)) {
        limits.smallest = is_stream(spec.transport) ? kSmallestShared + 1 : kSmallestShared;
    }
    limits.smallest = shares_datagrams(spec) ? kSmallestShared : limits.smallest;
    if (spec.seal == Sealing::on) {
        limits.smallest = smallest_sealed(spec.transport);
    }
    return limits;
}

/// Why a flow with an `association` cannot share, a sentence each.
[[nodiscard]] std::vector<std::string> sharing_errors(const FlowSpec& spec);

/// Sets an `association` for UDP flows if more than `most_own` of them go to one receiver and sharing does not change
/// what they send: neighbours with the same options, in groups of `flows_per_socket`. Returns: the number of flows that
/// got one.
std::size_t share_sockets(std::vector<FlowSpec>& flows, std::size_t most_own, std::size_t flows_per_socket);

/// The number of sockets that a run of these flows opens at its sender.
[[nodiscard]] std::size_t sockets_of(const std::vector<FlowSpec>& flows);

}  // namespace groma
