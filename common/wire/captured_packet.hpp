// What a captured frame carries: the payload behind its link, network and transport headers. The bytes are hostile.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace groma {

/// How frames of a capture begin, in libpcap's numbers (DLT_*, the same on Linux everywhere).
enum class LinkType : std::uint16_t {
    null = 0,         ///< 4 bytes of address family, in the capturing host's byte order
    ethernet = 1,     ///< also with VLAN tags
    raw = 12,         ///< the IP header
    linux_sll = 113,  ///< "cooked", 16 bytes
    linux_sll2 = 276  ///< 20 bytes
};

struct CapturedPacket {
    std::uint8_t protocol = 0;                 ///< of IP: 6 TCP, 17 UDP, ...
    std::span<const std::byte> destination{};  ///< the address: 4 bytes of IPv4 or 16 of IPv6
    std::span<const std::byte> payload{};      ///< behind the transport's header; what of it was captured
};

/// Returns: nothing for what is no whole header of IPv4 or IPv6 with TCP, UDP, UDP-Lite, DCCP or ICMP echo behind it,
/// and for IP fragments but the first.
[[nodiscard]] std::optional<CapturedPacket> parse_captured(std::span<const std::byte> frame, LinkType link) noexcept;

}  // namespace groma
