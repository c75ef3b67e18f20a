// The sockets that ICMP flows use: raw ones, and ping sockets for senders without the right to those.
#pragma once

#include <cstdint>

#include "common/model/transport/transport_options.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// For echo requests with the identifier that is the port of `to`, from the source that was asked for; nothing is
/// received on it. Throws: SystemError that says what right is missing, and how to get it; UsageError for the source.
[[nodiscard]] FileDescriptor open_echo_sender(const SocketAddress& to, const TransportOptions& options = {});

enum class EchoSocket : std::uint8_t { raw, ping };
/// Throws: SystemError.
[[nodiscard]] EchoSocket echo_socket_kind(const FileDescriptor& socket);

/// Which messages a filter of the kernel lets through.
struct EchoFilter {
    EchoSocket kind = EchoSocket::raw;
    bool v6 = false;
    std::uint16_t identifier = 0;
};
/// From now on an echo sender's socket receives the replies of the round-trip meter (kMeterReply) to its identifier,
/// and nothing else. Throws: SystemError.
void receive_meter_replies(const FileDescriptor& socket, const EchoFilter& filter);

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
