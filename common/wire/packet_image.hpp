// Rebuilds a packet from its record: headers of IP and of the transport, and the beginning of a payload whose rest was
// not kept. Addresses, ports, lengths and the caller's values are real. The other header fields are made up so that
// analysers find no error: checksums are right for a rest of zeros. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/model/transport/transport.hpp"

namespace groma {

/// An address of IPv4 (its first 4 bytes) or IPv6, and a port; with ICMP, the identifier.
struct PacketEnd {
    std::array<std::byte, 16> address{};
    bool ipv6 = false;
    std::uint16_t port = 0;
    bool operator==(const PacketEnd&) const = default;
};

struct PacketImage {
    Transport transport = Transport::udp;
    PacketEnd from{};
    PacketEnd to{};  ///< of the same family
    std::uint8_t ttl = 64;
    std::uint8_t ds_byte = 0;
    bool reply = false;           ///< with ICMP, an echo reply instead of a request
    std::uint64_t number = 0;     ///< of the packet: DCCP's sequence number, SCTP's TSN, ICMP's sequence number
    std::uint32_t stream_at = 0;  ///< with TCP: sequence number of the payload's first byte
    std::uint32_t payload_size = 0;
    std::span<const std::byte> payload{};  ///< its beginning, at most payload_size
};

/// Appends headers and the beginning of the payload to `out`. Returns: the packet's length on the wire.
std::uint32_t append_image(const PacketImage& image, std::vector<std::byte>& out);

/// The largest payload of an image. Lengths that do not fit their header field are 0, as in packets for segmentation
/// offload.
inline constexpr std::uint32_t kLargestImage = 1U << 24U;

}  // namespace groma
