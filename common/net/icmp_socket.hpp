// The sockets that ICMP flows use: raw ones, and ping sockets for senders without the right to those.
#pragma once

#include <cstdint>

#include "common/model/transport_options.hpp"
#include "common/net/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// For echo requests with the identifier that is the port of `to`, from the source that was asked for; nothing is ever
/// received on it. Throws: SystemError that says what right is missing, and how to get it; UsageError for the source.
[[nodiscard]] FileDescriptor open_echo_sender(const SocketAddress& to, const TransportOptions& options = {});

/// A raw socket that receives echo requests with this identifier and nothing else. Throws: SystemError.
[[nodiscard]] FileDescriptor open_echo_receiver(int family, std::uint16_t identifier);

/// Holds a number that no other ICMP flow of this host uses while the descriptor lives: `address` with the port that
/// was asked for, or one that the kernel chooses. Throws: SystemError "bind ...".
struct HeldIdentifier {
    FileDescriptor holder;
    std::uint16_t identifier = 0;
};
[[nodiscard]] HeldIdentifier hold_identifier(const SocketAddress& address);

}  // namespace groma
