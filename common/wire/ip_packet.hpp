// The IP packet in a captured frame, after its link header. The bytes are untrusted. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace groma {

/// Link types of captures in libpcap's numbers (DLT_*, the same on every Linux).
enum class LinkType : std::uint16_t {
    null = 0,          ///< 4 bytes of address family, in the capturing host's byte order
    ethernet = 1,      ///< also with VLAN tags
    raw = 12,          ///< the IP header
    loop = 108,        ///< as null, in network byte order
    linux_sll = 113,   ///< "cooked", 16 bytes
    ipv4 = 228,        ///< the IP header
    ipv6 = 229,        ///< likewise
    linux_sll2 = 276,  ///< 20 bytes
};

struct IpPacket {
    std::uint8_t protocol = 0;                 ///< after all extension headers: 6 TCP, 17 UDP, ...
    std::span<const std::byte> source{};       ///< 4 bytes of IPv4 or 16 of IPv6
    std::span<const std::byte> destination{};  ///< likewise
    std::span<const std::byte> bytes{};        ///< the captured part after the IP headers
    std::size_t length = 0;                    ///< of that part on the wire, by the header
    std::uint16_t fragment_offset = 0;         ///< in units of 8 bytes
    bool more_fragments = false;

    [[nodiscard]] bool is_fragment() const { return fragment_offset != 0 or more_fragments; }
};

/// Why a frame has no packet.
enum class NoPacket : std::uint8_t {
    not_ip,     ///< another protocol: ARP, LLDP, ...
    short_one,  ///< the headers are incomplete: the capture cut the frame, or the frame is invalid
    malformed,  ///< impossible lengths
};

struct FoundIp {
    std::optional<IpPacket> packet{};
    NoPacket instead = NoPacket::not_ip;  ///< valid without a packet
};

[[nodiscard]] FoundIp find_ip(std::span<const std::byte> frame, LinkType link) noexcept;

}  // namespace groma
