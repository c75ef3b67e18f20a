// The protocols that flows travel over, and what is known of each without a kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace groma {

/// The values are in no file and on no wire; the names are.
enum class Transport : std::uint8_t { udp, tcp, icmp, sctp, dccp, udplite, mptcp, usrsctp };

/// The smallest and the largest payload that one packet of the transport can have, in bytes. For a byte stream a packet
/// is a frame of the stream (docs/reference/wire-format.md).
struct SizeLimits {
    std::uint32_t smallest = 1;
    std::uint32_t largest = 0;
};

struct TransportTraits {
    Transport transport = Transport::udp;
    std::string_view name;   ///< in options, experiment files, messages and logs: "udp"
    std::string_view title;  ///< for people: "UDP"
    bool stream = false;     ///< bytes without boundaries: packets are framed (common/wire/stream_frame.hpp)
    bool connects = false;   ///< the receiver accepts a connection first
    bool ports = true;       ///< ICMP has identifiers instead
    SizeLimits sizes;
};

// 65535 bytes of an IPv4 packet less the headers of IP (20) and of the transport. A frame of a stream has no such
// limit; a mebibyte keeps the buffers of a flow small. A DCCP packet is never fragmented: what is larger than the path
// takes is refused by the kernel when it is sent (RFC 4340, 14).
inline constexpr SizeLimits kDatagramSizes{1, 65507};
inline constexpr SizeLimits kFrameSizes{1, 1U << 20U};

/// In the order of the enumeration.
inline constexpr std::array kTransports{
    TransportTraits{Transport::udp, "udp", "UDP", false, false, true, kDatagramSizes},
    TransportTraits{Transport::tcp, "tcp", "TCP", true, true, true, kFrameSizes},
    TransportTraits{Transport::icmp, "icmp", "ICMP", false, false, false, kDatagramSizes},
    TransportTraits{Transport::sctp, "sctp", "SCTP", false, true, true, {1, 65536}},
    TransportTraits{Transport::dccp, "dccp", "DCCP", false, true, true, {1, 65495}},
    TransportTraits{Transport::udplite, "udplite", "UDP-Lite", false, false, true, kDatagramSizes},
    TransportTraits{Transport::mptcp, "mptcp", "MPTCP", true, true, true, kFrameSizes},
    TransportTraits{Transport::usrsctp, "usrsctp", "SCTP in user space", false, true, true, {1, 65536}},
};

[[nodiscard]] constexpr const TransportTraits& traits(Transport transport) noexcept {
    return kTransports[static_cast<std::size_t>(transport)];
}
[[nodiscard]] constexpr bool is_stream(Transport transport) noexcept {
    return traits(transport).stream;
}
[[nodiscard]] constexpr SizeLimits size_limits(Transport transport) noexcept {
    return traits(transport).sizes;
}

/// "udp", "tcp", ... Throws: UsageError that names them all.
[[nodiscard]] Transport parse_transport(std::string_view text);
[[nodiscard]] std::string_view to_string(Transport transport) noexcept;

}  // namespace groma
