// What a captured frame carries: the payload behind its link, network and transport headers. The bytes are hostile.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/wire/ip_packet.hpp"

namespace groma {

struct CapturedPacket {
    std::uint8_t protocol = 0;                 ///< of IP: 6 TCP, 17 UDP, ...
    std::span<const std::byte> destination{};  ///< the address: 4 bytes of IPv4 or 16 of IPv6
    std::span<const std::byte> payload{};      ///< behind the transport's header; what of it was captured
};

/// Returns: nothing for what is no whole header of IPv4 or IPv6 with TCP, UDP, UDP-Lite, DCCP or ICMP echo behind it,
/// and for IP fragments but the first.
[[nodiscard]] std::optional<CapturedPacket> parse_captured(std::span<const std::byte> frame, LinkType link) noexcept;

}  // namespace groma
