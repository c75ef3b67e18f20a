#include "common/wire/flow_packet.hpp"

#include <algorithm>

#include "common/model/transport/transport.hpp"
#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

using Bytes = std::span<const std::byte>;

/// Contents of a transport's header.
struct Transported {
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    std::size_t size = 0;
    bool bare = false;
};

struct FoundTransport {
    std::optional<Transported> packet{};
    NoFlow instead = NoFlow::malformed;
};

FoundTransport nothing(NoFlow why) noexcept {
    return {std::nullopt, why};
}

std::uint16_t number_at(Bytes bytes, std::size_t place) noexcept {
    return load_big_endian<std::uint16_t>(bytes.subspan(place));
}

/// Why a header of `header` bytes cannot be read; empty if it can.
std::optional<NoFlow> missing(const IpPacket& packet, std::size_t header) noexcept {
    if (packet.length < header) {
        return NoFlow::malformed;
    }
    return packet.bytes.size() < header ? std::optional(NoFlow::cut) : std::nullopt;
}

/// UDP, and UDP-Lite, whose length is given by IP.
FoundTransport find_udp(const IpPacket& packet) noexcept {
    constexpr std::size_t kHeader = 8;
    if (const auto why = missing(packet, kHeader)) {
        return nothing(*why);
    }
    std::size_t length = packet.length;
    if (packet.protocol == ip_protocol::kUdp) {
        length = number_at(packet.bytes, 4);
        if (length < kHeader or length > packet.length) {
            return nothing(NoFlow::malformed);
        }
    }
    return {Transported{number_at(packet.bytes, 0), number_at(packet.bytes, 2), length - kHeader}};
}

FoundTransport find_tcp(const IpPacket& packet) noexcept {
    constexpr std::size_t kLeast = 20;
    if (const auto why = missing(packet, kLeast)) {
        return nothing(*why);
    }
    const std::size_t header = (byte_at(packet.bytes, 12) >> 4U) * std::size_t{4};
    if (header < kLeast or header > packet.length) {
        return nothing(NoFlow::malformed);
    }
    const std::size_t size = packet.length - header;
    return {Transported{number_at(packet.bytes, 0), number_at(packet.bytes, 2), size, size == 0}};
}

/// Only DCCP-Data and DCCP-DataAck carry payload that counts [RFC 4340, 5.1].
FoundTransport find_dccp(const IpPacket& packet) noexcept {
    constexpr std::size_t kLeast = 12;
    constexpr unsigned kData = 2;
    constexpr unsigned kDataAck = 4;
    if (const auto why = missing(packet, kLeast)) {
        return nothing(*why);
    }
    const std::size_t header = byte_at(packet.bytes, 4) * std::size_t{4};
    if (header < kLeast or header > packet.length) {
        return nothing(NoFlow::malformed);
    }
    const unsigned type = (byte_at(packet.bytes, 8) >> 1U) & 0x0fU;
    const bool data = type == kData or type == kDataAck;
    return {Transported{number_at(packet.bytes, 0), number_at(packet.bytes, 2), data ? packet.length - header : 0,
                        not data}};
}

/// The data chunks of an SCTP packet [RFC 9260, 3.3.1; RFC 8260, 2.1].
FoundTransport find_sctp(const IpPacket& packet) noexcept {
    constexpr std::size_t kHeader = 12;
    constexpr std::size_t kChunkHeader = 4;
    constexpr std::uint8_t kData = 0;
    constexpr std::uint8_t kIData = 64;
    if (const auto why = missing(packet, kHeader)) {
        return nothing(*why);
    }
    Transported found{number_at(packet.bytes, 0), number_at(packet.bytes, 2), 0, true};
    for (std::size_t place = kHeader; place + kChunkHeader <= packet.length;) {
        if (place + kChunkHeader > packet.bytes.size()) {
            return nothing(NoFlow::cut);
        }
        const std::uint8_t type = byte_at(packet.bytes, place);
        const std::size_t chunk = number_at(packet.bytes, place + 2);
        const std::size_t header = type == kData ? 16 : type == kIData ? 20 : kChunkHeader;
        if (chunk < header or chunk > packet.length - place) {
            return nothing(NoFlow::malformed);
        }
        if (type == kData or type == kIData) {
            found.size += chunk - header;
            found.bare = false;
        }
        place += (chunk + 3) / 4 * 4;
    }
    return {found};
}

FoundTransport find_echo(const IpPacket& packet) noexcept {
    constexpr std::size_t kHeader = 8;
    if (const auto why = missing(packet, 1)) {
        return nothing(*why);
    }
    const std::uint8_t type = byte_at(packet.bytes, 0);
    const bool echo = packet.protocol == ip_protocol::kIcmp ? type == 0 or type == 8 : type == 128 or type == 129;
    if (not echo) {
        return nothing(NoFlow::icmp_message);
    }
    if (const auto why = missing(packet, kHeader)) {
        return nothing(*why);
    }
    return {Transported{number_at(packet.bytes, 4), type, packet.length - kHeader}};
}

FoundTransport find_transport(const IpPacket& packet) noexcept {
    switch (packet.protocol) {
        case ip_protocol::kUdp:
        case ip_protocol::kUdpLite:
            return find_udp(packet);
        case ip_protocol::kTcp:
            return find_tcp(packet);
        case ip_protocol::kDccp:
            return find_dccp(packet);
        case ip_protocol::kSctp:
            return find_sctp(packet);
        case ip_protocol::kIcmp:
        case ip_protocol::kIcmp6:
            return find_echo(packet);
        default:
            return nothing(NoFlow::unknown_protocol);
    }
}

NoFlow why_not(NoPacket instead, bool was_cut) noexcept {
    switch (instead) {
        case NoPacket::not_ip:
            return NoFlow::not_ip;
        case NoPacket::short_one:
            return was_cut ? NoFlow::cut : NoFlow::malformed;
        case NoPacket::malformed:
            return NoFlow::malformed;
    }
    return NoFlow::malformed;
}

}  // namespace

FoundFlow find_flow(Bytes frame, LinkType link, std::size_t length) noexcept {
    const bool was_cut = frame.size() < length;
    const FoundIp found = find_ip(frame, link);
    if (not found.packet) {
        return {std::nullopt, why_not(found.instead, was_cut)};
    }
    const IpPacket& packet = *found.packet;
    if (packet.is_fragment()) {
        return {std::nullopt, NoFlow::fragment};
    }
    // If the capture did not cut the frame, it must contain all bytes of the IP length.
    if (not was_cut and packet.bytes.size() < packet.length) {
        return {std::nullopt, NoFlow::malformed};
    }
    const FoundTransport transport = find_transport(packet);
    if (not transport.packet) {
        return {std::nullopt, transport.instead};
    }
    FlowPacket flow;
    std::ranges::copy(packet.source, flow.key.source.begin());
    std::ranges::copy(packet.destination, flow.key.destination.begin());
    flow.key.source_port = transport.packet->source_port;
    flow.key.destination_port = transport.packet->destination_port;
    flow.key.protocol = packet.protocol;
    flow.key.ipv6 = packet.source.size() == flow.key.source.size();
    flow.size = static_cast<std::uint32_t>(transport.packet->size);
    flow.bare = transport.packet->bare;
    return {flow};
}

}  // namespace groma
