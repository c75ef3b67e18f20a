// The IP packet in a captured frame, behind its link's header. The bytes are hostile. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace groma {

/// How frames of a capture begin, in libpcap's numbers (DLT_*, the same on Linux everywhere).
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
    std::uint8_t protocol = 0;                 ///< behind all extension headers: 6 TCP, 17 UDP, ...
    std::span<const std::byte> source{};       ///< the address: 4 bytes of IPv4 or 16 of IPv6
    std::span<const std::byte> destination{};  ///< likewise
    std::span<const std::byte> bytes{};        ///< behind the headers of IP; what of it was captured
    std::size_t length = 0;                    ///< of it on the wire, as the header says
    std::uint16_t fragment_offset = 0;         ///< in units of 8 bytes
    bool more_fragments = false;

    [[nodiscard]] bool is_fragment() const { return fragment_offset != 0 or more_fragments; }
};

/// What a frame has instead of a packet.
enum class NoPacket : std::uint8_t {
    not_ip,     ///< another protocol: ARP, LLDP, ...
    short_one,  ///< headers end before they should: of a frame that was cut when it was captured, or of none that is
                ///< right
    malformed,  ///< lengths that cannot be
};

struct FoundIp {
    std::optional<IpPacket> packet{};
    NoPacket instead = NoPacket::not_ip;  ///< without a packet
};

[[nodiscard]] FoundIp find_ip(std::span<const std::byte> frame, LinkType link) noexcept;

}  // namespace groma
