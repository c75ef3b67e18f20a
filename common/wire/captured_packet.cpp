#include "common/wire/captured_packet.hpp"

#include "common/model/transport/transport.hpp"
#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

using Bytes = std::span<const std::byte>;

std::optional<Bytes> behind(Bytes bytes, std::size_t size) noexcept {
    return bytes.size() < size ? std::nullopt : std::optional(bytes.subspan(size));
}

std::optional<Bytes> behind_transport(const IpPacket& segment) noexcept {
    switch (segment.protocol) {
        case ip_protocol::kUdp:
        case ip_protocol::kUdpLite:
        case ip_protocol::kIcmp:
        case ip_protocol::kIcmp6:
            return behind(segment.bytes, 8);
        case ip_protocol::kTcp: {
            constexpr std::size_t kLeast = 20;
            const std::size_t size =
                segment.bytes.size() < kLeast ? 0 : (byte_at(segment.bytes, 12) >> 4U) * std::size_t{4};
            return size < kLeast ? std::nullopt : behind(segment.bytes, size);
        }
        case ip_protocol::kDccp: {
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
    const FoundIp found = find_ip(frame, link);
    if (not found.packet or found.packet->fragment_offset != 0) {
        return std::nullopt;
    }
    const auto payload = behind_transport(*found.packet);
    return payload ? std::optional(CapturedPacket{found.packet->protocol, found.packet->destination, *payload})
                   : std::nullopt;
}

}  // namespace groma
