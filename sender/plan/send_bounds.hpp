// Where a run sends that somebody else has asked for: what a daemon's --allow names, and its client's key. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "common/access/access_key.hpp"
#include "common/net/socket/networks.hpp"
#include "common/net/socket/resolver.hpp"
#include "sender/plan/receiver_plan.hpp"

namespace groma {

struct SendBounds {
    Networks allow{};               ///< --allow; empty: any address, and no multicast group
    std::optional<Grant> client{};  ///< of the client's key
    bool only_to_proved = false;    ///< only to receivers that prove a key of the client's

    /// Why nothing may be sent to this address and port, and what to do; empty: it may. Port 0: not known yet.
    [[nodiscard]] std::string refusal(const SocketAddress& to) const;
};

/// Of all receivers, and the groups and ports of their flows, before anything is asked of them. Throws: RunError for
/// the first that may not be.
void check_bounds(const SendBounds& bounds, std::span<const ReceiverPlan> plans);

/// The same for whatever else the run connects to, such as a log server: looks names up, and throws RunError for
/// addresses that may not be.
[[nodiscard]] ResolveName within(const SendBounds& bounds, ResolveName resolve);

/// Of a flow that its receiver awaits at this port of its host. Throws: RunError if it may not go there.
void check_bounds(const SendBounds& bounds, const FlowSpec& flow, const SocketAddress& to);

}  // namespace groma
