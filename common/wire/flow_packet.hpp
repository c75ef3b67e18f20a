// The flow and the payload size of a captured frame. The bytes are untrusted. Pure.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/wire/ip_packet.hpp"

namespace groma {

/// One direction of a conversation. IPv4 uses the first 4 bytes of an address; the others are 0. For ICMP the source
/// port is the identifier, and the destination port is the message type (echo request or reply).
struct FlowKey {
    std::array<std::byte, 16> source{};
    std::array<std::byte, 16> destination{};
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    std::uint8_t protocol = 0;  ///< in the IP header
    bool ipv6 = false;

    auto operator<=>(const FlowKey&) const = default;
};

struct FlowPacket {
    FlowKey key;
    /// Payload bytes on the wire by the headers, however much was captured: all after the transport's header; for SCTP,
    /// those of its data chunks.
    std::uint32_t size = 0;
    /// TCP, SCTP or DCCP without payload: an acknowledgement or a part of a handshake.
    bool bare = false;
};

/// Why a frame belongs to no flow.
enum class NoFlow : std::uint8_t {
    not_ip,            ///< ARP and others
    fragment,          ///< a piece of an IP datagram
    cut,               ///< captured too short for its headers
    malformed,         ///< headers that contradict themselves
    unknown_protocol,  ///< neither UDP, UDP-Lite, TCP, SCTP, DCCP nor ICMP
    icmp_message,      ///< ICMP, but no echo
};
inline constexpr std::size_t kNoFlowKinds = 6;

struct FoundFlow {
    std::optional<FlowPacket> packet{};
    NoFlow instead = NoFlow::not_ip;  ///< valid without a packet
};

/// `length` of the frame on the wire; `frame` may be only its beginning.
[[nodiscard]] FoundFlow find_flow(std::span<const std::byte> frame, LinkType link, std::size_t length) noexcept;

}  // namespace groma
