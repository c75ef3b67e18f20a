// A packet of a datagram flow as the kernel gives it back with the time at which it left (MSG_ERRQUEUE, timestamping of
// the Linux kernel): from the link's header on, whatever link it was. Pure but for the address types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// What tells the packet from what else the bytes could be.
struct LoopedFlow {
    SocketAddress to;
    std::uint8_t protocol = 0;  ///< of IP: 17 UDP, 136 UDP-Lite, 1 ICMP, 58 ICMPv6
};

/// Enough of a packet: a link's header with tags, an IPv4 header with options, UDP's or ICMP's, and the number.
inline constexpr std::size_t kLoopedBytes = 128;

/// The sequence number in front of the payload (docs/reference/wire-format.md); nothing when this is no packet of the
/// flow, or when it has no room for one.
[[nodiscard]] std::optional<std::uint32_t> sequence_of_looped(std::span<const std::byte> packet,
                                                              const LoopedFlow& flow) noexcept;

}  // namespace groma
