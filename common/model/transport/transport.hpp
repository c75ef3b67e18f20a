// The protocols of flows, and their properties that need no kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace groma {

/// The values are in no file and on no wire; the names are. To add a transport: a name here, a row of kTransports, a
/// row of common/net/flow_sockets.cpp, and a room with its channel and inbox; for captures, its header in
/// common/wire/packet_image.cpp.
enum class Transport : std::uint8_t { udp, tcp, icmp, sctp, dccp, udplite, mptcp, usrsctp };

/// The smallest and the largest payload of one packet, in bytes. For a byte stream a packet is a frame of the stream
/// (docs/reference/wire-format.md).
struct SizeLimits {
    std::uint32_t smallest = 1;
    std::uint32_t largest = 0;
};

/// Numbers of protocols above IP (IANA, Protocol Numbers).
namespace ip_protocol {
inline constexpr std::uint8_t kIcmp = 1;
inline constexpr std::uint8_t kTcp = 6;
inline constexpr std::uint8_t kUdp = 17;
inline constexpr std::uint8_t kDccp = 33;
inline constexpr std::uint8_t kIcmp6 = 58;
inline constexpr std::uint8_t kSctp = 132;
inline constexpr std::uint8_t kUdpLite = 136;
}  // namespace ip_protocol

/// Type of the flow's socket (socket(7)).
enum class SocketType : std::uint8_t { datagram, stream, raw, dccp };

/// How flows share a socket (common/model/flow/sharing.hpp): a packet names its flow in the header, or by its SCTP
/// stream.
enum class SocketSharing : std::uint8_t { none, by_header, by_stream };

struct TransportTraits {
    Transport transport = Transport::udp;
    std::string_view name;         ///< in options, experiment files, messages and logs: "udp"
    std::string_view title;        ///< for people: "UDP"
    std::uint8_t ip_protocol = 0;  ///< in the IP header; over IPv6, ICMP has kIcmp6
    SocketType socket = SocketType::datagram;
    std::uint16_t socket_protocol = 0;  ///< the protocol argument of socket(2); 0: given by the type
    std::uint8_t header_bytes = 0;      ///< before a packet's payload, without options
    bool stream = false;                ///< bytes without boundaries: packets are framed (common/wire/stream_frame.hpp)
    bool delivers_once = false;         ///< hands no packet to the receiver twice (RFC 9293, 3.4; RFC 9260, 6.2)
    bool connects = false;              ///< the receiver accepts a connection before packets flow
    bool ports = true;                  ///< ICMP has identifiers instead
    bool dialled = true;                ///< a sender can await the receiver (--passive)
    bool round_trips = true;            ///< the round-trip meter works
    bool segments = false;              ///< the kernel sends and receives several packets as one (UDP_SEGMENT, UDP_GRO)
    SocketSharing sharing = SocketSharing::none;
    SizeLimits sizes;
    std::uint32_t bulk_size = 1452;  ///< payload that is sent as fast as possible, unless the user chooses
    std::string_view missing = "this kernel does not have it";  ///< what to report, and what to do, if it is missing
};

// 65535 bytes of an IPv4 packet less the headers of IP (20) and of the transport. A frame of a stream has no such
// limit; a MiB keeps the buffers of a flow small. DCCP packets are never fragmented: the kernel refuses to send one
// that exceeds the path's limit (RFC 4340, 14).
// A datagram for bulk is the largest that an Ethernet carries, behind IPv6 and UDP; options of DCCP take some more.
inline constexpr SizeLimits kDatagramSizes{1, 65507};
inline constexpr SizeLimits kFrameSizes{1, 1U << 20U};
inline constexpr std::uint32_t kBulkFrame = 128U << 10U;

/// In the order of the enumeration.
inline constexpr std::array kTransports{
    TransportTraits{.transport = Transport::udp,
                    .name = "udp",
                    .title = "UDP",
                    .ip_protocol = ip_protocol::kUdp,
                    .header_bytes = 8,
                    .segments = true,
                    .sharing = SocketSharing::by_header,
                    .sizes = kDatagramSizes},
    TransportTraits{.transport = Transport::tcp,
                    .name = "tcp",
                    .title = "TCP",
                    .ip_protocol = ip_protocol::kTcp,
                    .socket = SocketType::stream,
                    .header_bytes = 20,
                    .stream = true,
                    .delivers_once = true,
                    .connects = true,
                    .sizes = kFrameSizes,
                    .bulk_size = kBulkFrame},
    TransportTraits{.transport = Transport::icmp,
                    .name = "icmp",
                    .title = "ICMP",
                    .ip_protocol = ip_protocol::kIcmp,
                    .socket = SocketType::raw,
                    .header_bytes = 8,
                    .ports = false,
                    .dialled = false,
                    .sizes = kDatagramSizes},
    TransportTraits{.transport = Transport::sctp,
                    .name = "sctp",
                    .title = "SCTP",
                    .ip_protocol = ip_protocol::kSctp,
                    .socket = SocketType::stream,
                    .socket_protocol = ip_protocol::kSctp,
                    .header_bytes = 28,
                    .delivers_once = true,
                    .connects = true,
                    .sharing = SocketSharing::by_stream,
                    .sizes = {1, 65536},
                    .bulk_size = 65536,
                    .missing = "this kernel has no SCTP: modprobe sctp, or a kernel with CONFIG_IP_SCTP"},
    TransportTraits{.transport = Transport::dccp,
                    .name = "dccp",
                    .title = "DCCP",
                    .ip_protocol = ip_protocol::kDccp,
                    .socket = SocketType::dccp,
                    .socket_protocol = ip_protocol::kDccp,
                    .header_bytes = 16,
                    .connects = true,
                    .sizes = {1, 65495},
                    .bulk_size = 1400,
                    .missing = "this kernel has no DCCP: modprobe dccp_ipv4 dccp_ipv6; Linux 6.16 and later have none"},
    TransportTraits{.transport = Transport::udplite,
                    .name = "udplite",
                    .title = "UDP-Lite",
                    .ip_protocol = ip_protocol::kUdpLite,
                    .socket_protocol = ip_protocol::kUdpLite,
                    .header_bytes = 8,
                    .sizes = kDatagramSizes,
                    .missing = "this kernel has no UDP-Lite"},
    TransportTraits{.transport = Transport::mptcp,
                    .name = "mptcp",
                    .title = "MPTCP",
                    .ip_protocol = ip_protocol::kTcp,
                    .socket = SocketType::stream,
                    .socket_protocol = 262,
                    .header_bytes = 20,
                    .stream = true,
                    .delivers_once = true,
                    .connects = true,
                    .sizes = kFrameSizes,
                    .bulk_size = kBulkFrame,
                    .missing = "this kernel has no MPTCP, or it is off: sysctl net.mptcp.enabled=1"},
    TransportTraits{.transport = Transport::usrsctp,
                    .name = "usrsctp",
                    .title = "SCTP in user space",
                    .ip_protocol = ip_protocol::kUdp,  // RFC 6951
                    .header_bytes = 36,
                    .delivers_once = true,
                    .connects = true,
                    .dialled = false,
                    .round_trips = false,
                    .sizes = {1, 65536},
                    .bulk_size = 16384},
};

[[nodiscard]] constexpr const TransportTraits& traits(Transport transport) noexcept {
    return kTransports[static_cast<std::size_t>(transport)];
}
/// In the IP header.
[[nodiscard]] constexpr std::uint8_t ip_protocol_of(Transport transport, bool ipv6) noexcept {
    return transport == Transport::icmp and ipv6 ? ip_protocol::kIcmp6 : traits(transport).ip_protocol;
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
