// The payload of a captured frame, after its link, network and transport headers. The bytes are untrusted. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/wire/ip_packet.hpp"

namespace groma {

struct CapturedPacket {
    std::uint8_t protocol = 0;                 ///< in the IP header: 6 TCP, 17 UDP, ...
    std::span<const std::byte> destination{};  ///< 4 bytes of IPv4 or 16 of IPv6
    std::span<const std::byte> payload{};      ///< the captured part after the transport's header
};

/// Returns: empty unless the frame has a complete header of IPv4 or IPv6 and of TCP, UDP, UDP-Lite, DCCP or ICMP echo;
/// empty also for later IP fragments.
[[nodiscard]] std::optional<CapturedPacket> parse_captured(std::span<const std::byte> frame, LinkType link) noexcept;

}  // namespace groma
