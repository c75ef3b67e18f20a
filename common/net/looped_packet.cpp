#include "common/net/looped_packet.hpp"

#include <netinet/in.h>

#include <algorithm>

#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

using PacketBytes = std::span<const std::byte>;

/// Link headers are of 14 bytes mostly, 0 in tunnels, a few more with tags.
constexpr std::size_t kLongestLinkHeader = 32;
/// Of UDP, UDP-Lite and ICMP alike.
constexpr std::size_t kTransportHeader = 8;
constexpr std::size_t kNumber = 4;
constexpr std::size_t kIpv6Header = 40;
constexpr std::size_t kFragmentHeader = 8;
constexpr std::uint8_t kFragment = 44;

std::uint8_t byte_at(PacketBytes bytes, std::size_t index) noexcept {
    return std::to_integer<std::uint8_t>(bytes[index]);
}

bool goes_to(PacketBytes address, const SocketAddress& to) noexcept {
    const auto* const any = to.data();
    const void* bytes = nullptr;
    if (any->sa_family == AF_INET) {
        bytes = &reinterpret_cast<const sockaddr_in*>(any)->sin_addr;
    } else {
        bytes = &reinterpret_cast<const sockaddr_in6*>(any)->sin6_addr;
    }
    return std::equal(address.begin(), address.end(), static_cast<const std::byte*>(bytes));
}

/// RFC 791, 3.1. Returns: where the transport's header begins; 0: this is no such packet.
std::size_t behind_ipv4(PacketBytes packet, const LoopedFlow& flow) noexcept {
    if (packet.size() < 20 or byte_at(packet, 0) >> 4U != 4 or byte_at(packet, 9) != flow.protocol or
        not goes_to(packet.subspan(16, 4), flow.to)) {
        return 0;
    }
    const std::size_t size = (byte_at(packet, 0) & 0x0fU) * std::size_t{4};
    return size < 20 ? 0 : size;
}

/// RFC 8200, 3 and 4.5.
std::size_t behind_ipv6(PacketBytes packet, const LoopedFlow& flow) noexcept {
    if (packet.size() < kIpv6Header + kFragmentHeader or byte_at(packet, 0) >> 4U != 6 or
        not goes_to(packet.subspan(24, 16), flow.to)) {
        return 0;
    }
    if (byte_at(packet, 6) == flow.protocol) {
        return kIpv6Header;
    }
    const bool cut = byte_at(packet, 6) == kFragment and byte_at(packet, kIpv6Header) == flow.protocol;
    return cut ? kIpv6Header + kFragmentHeader : 0;
}

}  // namespace

std::optional<std::uint32_t> sequence_of_looped(PacketBytes packet, const LoopedFlow& flow) noexcept {
    const bool v6 = flow.to.family() == AF_INET6;
    for (std::size_t link = 0; link <= std::min(kLongestLinkHeader, packet.size()); link += 2) {
        const PacketBytes rest = packet.subspan(link);
        const std::size_t behind = v6 ? behind_ipv6(rest, flow) : behind_ipv4(rest, flow);
        if (behind > 0) {
            const std::size_t number = behind + kTransportHeader;
            return rest.size() < number + kNumber
                       ? std::nullopt
                       : std::optional(load_big_endian<std::uint32_t>(rest.subspan(number, kNumber)));
        }
    }
    return std::nullopt;
}

}  // namespace groma
