// Groups of hosts that take the same packets: addresses, memberships (RFC 3678), and what a sender's socket must know.
#pragma once

#include "common/model/transport/transport_options.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// The group that a flow goes to. Throws: UsageError when what was asked for is no multicast address.
[[nodiscard]] SocketAddress group_of(const TransportOptions& options, std::uint16_t port);

/// This host's address on the way to another. Throws: SystemError when there is no way.
[[nodiscard]] SocketAddress address_towards(const SocketAddress& to);

/// A socket's packets to the group leave through the interface of the source, or the device, that was asked for, with
/// the TTL that was asked for, otherwise 1. Throws: SystemError.
void prepare_group_sender(const FileDescriptor& socket, const TransportOptions& options, const SocketAddress& group);

/// Binds the socket to the flow's group and joins it on the interface of `bind_to`: it hears what is sent to the group
/// and nothing else, also when other sockets of this host have joined it. Source-specific, the kernel passes on the
/// expected peer's packets only. Throws: UsageError, SystemError.
void join_group(const FileDescriptor& socket, const InboxSpec& spec);

}  // namespace groma
