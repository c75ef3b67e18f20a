#include "common/wire/captured_packet.hpp"

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
constexpr std::uint8_t kTcp = 6;
constexpr std::uint8_t kUdp = 17;
constexpr std::uint8_t kDccp = 33;
constexpr std::uint8_t kUdpLite = 136;
constexpr std::uint8_t kIcmp = 1;
constexpr std::uint8_t kIcmp6 = 58;
constexpr std::uint8_t kFragment6 = 44;

std::uint8_t byte_at(Bytes bytes, std::size_t place) noexcept {
    return std::to_integer<std::uint8_t>(bytes[place]);
}

std::optional<Bytes> behind(Bytes bytes, std::size_t size) noexcept {
    return bytes.size() < size ? std::nullopt : std::optional(bytes.subspan(size));
}

/// What is behind the header of Ethernet and its VLAN tags, if it is IP.
std::optional<Bytes> behind_ethernet(Bytes frame) noexcept {
    constexpr std::size_t kAddresses = 12;
    std::size_t place = kAddresses;
    while (place + 2 <= frame.size()) {
        const auto type = load_big_endian<std::uint16_t>(frame.subspan(place));
        if (type == kEtherIpv4 or type == kEtherIpv6) {
            return frame.subspan(place + 2);
        }
        if (type != kEtherVlan and type != kEtherVlanService) {
            return std::nullopt;
        }
        place += 4;
    }
    return std::nullopt;
}

std::optional<Bytes> behind_link(Bytes frame, LinkType link) noexcept {
    switch (link) {
        case LinkType::null:
            return behind(frame, 4);
        case LinkType::ethernet:
            return behind_ethernet(frame);
        case LinkType::raw:
            return frame;
        case LinkType::linux_sll:
            return behind(frame, 16);
        case LinkType::linux_sll2:
            return behind(frame, 20);
    }
    return std::nullopt;
}

struct Segment {
    std::uint8_t protocol = 0;
    Bytes destination{};
    Bytes bytes{};
};

std::optional<Segment> behind_ipv4(Bytes packet) noexcept {
    if (packet.size() < kIpv4Header) {
        return std::nullopt;
    }
    const std::size_t header = (byte_at(packet, 0) & 0x0fU) * std::size_t{4};
    const std::size_t length = load_big_endian<std::uint16_t>(packet.subspan(2));
    const bool later_fragment = (load_big_endian<std::uint16_t>(packet.subspan(6)) & 0x1fffU) != 0;
    if (header < kIpv4Header or packet.size() < header or length < header or later_fragment) {
        return std::nullopt;
    }
    return Segment{byte_at(packet, 9), packet.subspan(16, 4),
                   packet.first(std::min(packet.size(), length)).subspan(header)};
}

bool is_extension(std::uint8_t next) noexcept {
    constexpr std::uint8_t kHopByHop = 0;
    constexpr std::uint8_t kRouting = 43;
    constexpr std::uint8_t kDestination = 60;
    return next == kHopByHop or next == kRouting or next == kDestination or next == kFragment6;
}

std::optional<Segment> behind_ipv6(Bytes packet) noexcept {
    if (packet.size() < kIpv6Header) {
        return std::nullopt;
    }
    const std::size_t length = load_big_endian<std::uint16_t>(packet.subspan(4));
    Segment segment{byte_at(packet, 6), packet.subspan(24, 16), packet.subspan(kIpv6Header)};
    segment.bytes = segment.bytes.first(std::min(segment.bytes.size(), length));
    while (is_extension(segment.protocol)) {
        constexpr std::size_t kUnit = 8;
        if (segment.bytes.size() < kUnit) {
            return std::nullopt;
        }
        const bool fragment = segment.protocol == kFragment6;
        if (fragment and (load_big_endian<std::uint16_t>(segment.bytes.subspan(2)) & 0xfff8U) != 0) {
            return std::nullopt;
        }
        const std::size_t size = fragment ? kUnit : (byte_at(segment.bytes, 1) + std::size_t{1}) * kUnit;
        if (segment.bytes.size() < size) {
            return std::nullopt;
        }
        segment = {byte_at(segment.bytes, 0), segment.destination, segment.bytes.subspan(size)};
    }
    return segment;
}

std::optional<Bytes> behind_transport(const Segment& segment) noexcept {
    switch (segment.protocol) {
        case kUdp:
        case kUdpLite:
        case kIcmp:
        case kIcmp6:
            return behind(segment.bytes, 8);
        case kTcp: {
            constexpr std::size_t kLeast = 20;
            const std::size_t size =
                segment.bytes.size() < kLeast ? 0 : (byte_at(segment.bytes, 12) >> 4U) * std::size_t{4};
            return size < kLeast ? std::nullopt : behind(segment.bytes, size);
        }
        case kDccp: {
            constexpr std::size_t kLeast = 12;
            const std::size_t size = segment.bytes.size() < kLeast ? 0 : byte_at(segment.bytes, 4) * std::size_t{4};
            return size < kLeast ? std::nullopt : behind(segment.bytes, size);
        }
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<CapturedPacket> parse_captured(Bytes frame, LinkType link) noexcept {
    const auto packet = behind_link(frame, link);
    if (not packet or packet->empty()) {
        return std::nullopt;
    }
    const unsigned version = byte_at(*packet, 0) >> 4U;
    const auto segment = version == 4   ? behind_ipv4(*packet)
                         : version == 6 ? behind_ipv6(*packet)
                                        : std::optional<Segment>();
    const auto payload = segment ? behind_transport(*segment) : std::nullopt;
    return payload ? std::optional(CapturedPacket{segment->protocol, segment->destination, *payload}) : std::nullopt;
}

}  // namespace groma
