#include "common/net/stamps/looped_packet.hpp"

#include <netinet/in.h>

#include <algorithm>

#include "common/wire/big_endian.hpp"
#include "common/wire/captured_packet.hpp"

namespace groma {

namespace {

/// Link headers are of 14 bytes mostly, 0 in tunnels, a few more with tags.
constexpr std::size_t kLongestLinkHeader = 32;
constexpr std::size_t kNumber = 4;

bool is_address_of(std::span<const std::byte> address, const SocketAddress& to) noexcept {
    const auto* const any = to.data();
    const bool v6 = any->sa_family == AF_INET6;
    const void* const bytes = v6 ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(any)->sin6_addr)
                                 : &reinterpret_cast<const sockaddr_in*>(any)->sin_addr;
    return address.size() == (v6 ? sizeof(in6_addr) : sizeof(in_addr)) and
           std::equal(address.begin(), address.end(), static_cast<const std::byte*>(bytes));
}

}  // namespace

std::optional<std::uint32_t> sequence_of_looped(std::span<const std::byte> bytes, const LoopedFlow& flow) noexcept {
    for (std::size_t link = 0; link <= std::min(kLongestLinkHeader, bytes.size()); link += 2) {
        const auto packet = parse_captured(bytes.subspan(link), LinkType::raw);
        if (packet and packet->protocol == flow.protocol and is_address_of(packet->destination, flow.to)) {
            return packet->payload.size() < kNumber ? std::nullopt
                                                    : std::optional(load_big_endian<std::uint32_t>(packet->payload));
        }
    }
    return std::nullopt;
}

}  // namespace groma
