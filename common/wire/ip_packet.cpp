#include "common/wire/ip_packet.hpp"

#include <algorithm>

#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::uint16_t kEtherIpv4 = 0x0800;
constexpr std::uint16_t kEtherIpv6 = 0x86dd;
constexpr std::uint16_t kEtherVlan = 0x8100;
constexpr std::uint16_t kEtherVlanService = 0x88a8;
constexpr std::size_t kIpv4Header = 20;
constexpr std::size_t kIpv6Header = 40;
constexpr std::uint8_t kFragment6 = 44;

FoundIp nothing(NoPacket why) noexcept {
    return {std::nullopt, why};
}

/// Start of the IP header.
struct BehindLink {
    std::optional<Bytes> bytes{};
    NoPacket instead = NoPacket::short_one;
};

BehindLink past(Bytes bytes, std::size_t size) noexcept {
    return bytes.size() < size ? BehindLink{} : BehindLink{bytes.subspan(size)};
}

/// `place` of an EtherType; VLAN tags, each with a further one, may follow.
BehindLink behind_ether_type(Bytes frame, std::size_t place, std::size_t payload) noexcept {
    constexpr std::size_t kTag = 4;
    while (place + 2 <= frame.size()) {
        const auto type = load_big_endian<std::uint16_t>(frame.subspan(place));
        if (type == kEtherIpv4 or type == kEtherIpv6) {
            return past(frame, payload);
        }
        if (type != kEtherVlan and type != kEtherVlanService) {
            return {std::nullopt, NoPacket::not_ip};
        }
        place = payload + 2;
        payload += kTag;
    }
    return {};
}

BehindLink behind_link(Bytes frame, LinkType link) noexcept {
    switch (link) {
        case LinkType::null:
        case LinkType::loop:
            return past(frame, 4);
        case LinkType::ethernet:
            return behind_ether_type(frame, 12, 14);
        case LinkType::raw:
        case LinkType::ipv4:
        case LinkType::ipv6:
            return {frame};
        case LinkType::linux_sll:
            return behind_ether_type(frame, 14, 16);
        case LinkType::linux_sll2:
            return behind_ether_type(frame, 0, 20);
    }
    return {std::nullopt, NoPacket::not_ip};
}

FoundIp find_ipv4(Bytes packet) noexcept {
    if (packet.size() < kIpv4Header) {
        return nothing(NoPacket::short_one);
    }
    const std::size_t header = (byte_at(packet, 0) & 0x0fU) * std::size_t{4};
    const std::size_t length = load_big_endian<std::uint16_t>(packet.subspan(2));
    const auto fragment = load_big_endian<std::uint16_t>(packet.subspan(6));
    if (header < kIpv4Header or length < header) {
        return nothing(NoPacket::malformed);
    }
    if (packet.size() < header) {
        return nothing(NoPacket::short_one);
    }
    return {IpPacket{.protocol = byte_at(packet, 9),
                     .source = packet.subspan(12, 4),
                     .destination = packet.subspan(16, 4),
                     .bytes = packet.first(std::min(packet.size(), length)).subspan(header),
                     .length = length - header,
                     .fragment_offset = static_cast<std::uint16_t>(fragment & 0x1fffU),
                     .more_fragments = (fragment & 0x2000U) != 0}};
}

bool is_extension(std::uint8_t next) noexcept {
    constexpr std::uint8_t kHopByHop = 0;
    constexpr std::uint8_t kRouting = 43;
    constexpr std::uint8_t kDestination = 60;
    return next == kHopByHop or next == kRouting or next == kDestination or next == kFragment6;
}

/// Skips the extension header at the start. Returns: why that failed; empty: it worked.
std::optional<NoPacket> skip_extension(IpPacket& found) noexcept {
    constexpr std::size_t kUnit = 8;
    const auto lacks = [&found](std::size_t size) -> std::optional<NoPacket> {
        return found.length < size         ? std::optional(NoPacket::malformed)
               : found.bytes.size() < size ? std::optional(NoPacket::short_one)
                                           : std::nullopt;
    };
    if (const auto why = lacks(kUnit)) {
        return why;
    }
    const bool fragment = found.protocol == kFragment6;
    if (fragment) {
        const auto place = load_big_endian<std::uint16_t>(found.bytes.subspan(2));
        found.fragment_offset = static_cast<std::uint16_t>(place >> 3U);
        found.more_fragments = (place & 1U) != 0;
    }
    const std::size_t size = fragment ? kUnit : (byte_at(found.bytes, 1) + std::size_t{1}) * kUnit;
    if (const auto why = lacks(size)) {
        return why;
    }
    found.protocol = byte_at(found.bytes, 0);
    found.bytes = found.bytes.subspan(size);
    found.length -= size;
    return std::nullopt;
}

FoundIp find_ipv6(Bytes packet) noexcept {
    if (packet.size() < kIpv6Header) {
        return nothing(NoPacket::short_one);
    }
    IpPacket found{.protocol = byte_at(packet, 6),
                   .source = packet.subspan(8, 16),
                   .destination = packet.subspan(24, 16),
                   .bytes = packet.subspan(kIpv6Header),
                   .length = load_big_endian<std::uint16_t>(packet.subspan(4))};
    found.bytes = found.bytes.first(std::min(found.bytes.size(), found.length));
    // After the header of a later fragment the bytes can be anything.
    while (is_extension(found.protocol) and found.fragment_offset == 0) {
        if (const auto why = skip_extension(found)) {
            return nothing(*why);
        }
    }
    return {found};
}

}  // namespace

FoundIp find_ip(Bytes frame, LinkType link) noexcept {
    const BehindLink packet = behind_link(frame, link);
    if (not packet.bytes) {
        return nothing(packet.instead);
    }
    if (packet.bytes->empty()) {
        return nothing(NoPacket::short_one);
    }
    const unsigned version = byte_at(*packet.bytes, 0) >> 4U;
    return version == 4   ? find_ipv4(*packet.bytes)
           : version == 6 ? find_ipv6(*packet.bytes)
                          : nothing(NoPacket::not_ip);
}

}  // namespace groma
