// Which flow a captured frame is of, and how much payload it carries. The bytes are hostile. Pure.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/wire/ip_packet.hpp"

namespace groma {

/// One direction of a conversation. Of IPv4 the first 4 bytes of an address count, the others are 0. ICMP has an
/// identifier for a source port, and the type of its messages (echo request or reply) for a destination port.
struct FlowKey {
    std::array<std::byte, 16> source{};
    std::array<std::byte, 16> destination{};
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    std::uint8_t protocol = 0;  ///< of IP
    bool ipv6 = false;

    auto operator<=>(const FlowKey&) const = default;
};

struct FlowPacket {
    FlowKey key;
    /// Bytes of payload on the wire, as headers say, whatever part of it was captured: behind the transport's header;
    /// of SCTP those of its data chunks.
    std::uint32_t size = 0;
    /// An acknowledgement or a part of a handshake: TCP, SCTP, DCCP without payload.
    bool bare = false;
};

/// Why a frame is of no flow.
enum class NoFlow : std::uint8_t {
    not_ip,            ///< ARP and the like
    fragment,          ///< a piece of an IP datagram
    cut,               ///< captured too short for its headers
    malformed,         ///< headers that contradict themselves
    unknown_protocol,  ///< neither UDP, UDP-Lite, TCP, SCTP, DCCP nor ICMP
    icmp_message,      ///< ICMP, but no echo
};
inline constexpr std::size_t kNoFlowKinds = 6;

struct FoundFlow {
    std::optional<FlowPacket> packet{};
    NoFlow instead = NoFlow::not_ip;  ///< without a packet
};

/// `length` of the frame on the wire, of which `frame` may be the beginning.
[[nodiscard]] FoundFlow find_flow(std::span<const std::byte> frame, LinkType link, std::size_t length) noexcept;

}  // namespace groma
