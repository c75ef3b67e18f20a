// A packet as it looks on the wire, made from what a record says of it: headers of IP and of the transport around the
// beginning of a payload whose rest nobody kept. Addresses, ports, lengths and what the caller gives are as they were;
// everything else in the headers is made up so that whoever takes the packet apart finds nothing wrong: checksums are
// right for a rest of zeros. Pure.
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
    std::uint32_t stream_at = 0;  ///< with TCP, sequence number of the payload's first byte
    std::uint32_t payload_size = 0;
    std::span<const std::byte> payload{};  ///< the beginning of it; at most payload_size
};

/// Appends headers and the beginning of the payload to `out`. Returns: the length of the packet on the wire.
std::uint32_t append_image(const PacketImage& image, std::vector<std::byte>& out);

/// The largest payload that it makes an image of; lengths that do not fit the field of a header are 0 there, as in a
/// packet that the network device is to cut (segmentation offload).
inline constexpr std::uint32_t kLargestImage = 1U << 24U;

}  // namespace groma
