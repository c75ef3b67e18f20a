// What a flow asks of its socket, given to the kernel, and what the kernel made of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/model/transport/transport_options.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

enum class SocketSide : std::uint8_t { sending, receiving };

struct SocketUse {
    Transport transport = Transport::udp;
    int family = 0;
    SocketSide side = SocketSide::sending;
};

/// Sets the options that matter to this side, before the socket is bound or connected.
/// Returns: a sentence for each that the kernel refused or made less of.
/// Throws: SystemError when a packet would not be what was asked for: no such interface, congestion control, or CCID.
[[nodiscard]] std::vector<std::string> apply_options(const FileDescriptor& socket, const SocketUse& use,
                                                     const TransportOptions& options);

/// Leases the flow label that was asked for, as a label must be before packets to this destination can carry it.
/// Returns: the address to connect to, with the label. Throws: SystemError when it is not to be had.
[[nodiscard]] SocketAddress labelled(const FileDescriptor& socket, const SocketAddress& to,
                                     const TransportOptions& options);

/// The source address that was asked for, or any of the family of `to`, with this port.
/// Throws: UsageError when it is no address of that family.
[[nodiscard]] SocketAddress source_address(const TransportOptions& options, const SocketAddress& to,
                                           std::uint16_t port);

/// Binds a sending socket to the source address and port that were asked for, if any. `to` says which family.
/// Throws: UsageError when the source is no address of that family; SystemError "bind 10.0.0.1:5000".
void bind_to_source(const FileDescriptor& socket, const TransportOptions& options, const SocketAddress& to);

}  // namespace groma
