// The sockets of a flow, whatever its transport: the only place that knows which class each transport has.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/model/transport/transport.hpp"
#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/time/clock.hpp"

namespace groma {

/// The clock outlives the channel. Throws: SystemError with advice.
[[nodiscard]] std::unique_ptr<Channel> open_channel(const ChannelSpec& spec, Clock& clock);

/// Channels of flows that share a socket, if there are several. The clock outlives them. Throws: SystemError.
/// Requires: at least one flow, one transport, and TransportTraits::sharing if there are more.
[[nodiscard]] std::vector<std::unique_ptr<Channel>> open_channels(std::span<const ChannelSpec> specs, Clock& clock);

/// The clock outlives the inbox. Throws: SystemError ("bind 10.0.0.1:8999", EADDRINUSE, ...).
[[nodiscard]] std::unique_ptr<Inbox> open_inbox(const InboxSpec& spec, Clock& clock);

/// Returns: why flows of this transport cannot be sent from here, or received here, with what to do; empty when they
/// can. `address` says over which family; its host and port do not matter.
[[nodiscard]] std::string sending_error(Transport transport, const SocketAddress& address);
[[nodiscard]] std::string receiving_error(Transport transport, const SocketAddress& address);

}  // namespace groma
