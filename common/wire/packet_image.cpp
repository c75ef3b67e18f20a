#include "common/wire/packet_image.hpp"

#include <algorithm>
#include <concepts>
#include <limits>

#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

constexpr std::uint16_t kSctpOverUdp = 9899;  // RFC 6951
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Appends fields in network order.
class Fields {
public:
    explicit Fields(std::vector<std::byte>& out) : out_(out) {}

    template <std::unsigned_integral Integer>
    void put(Integer value) {
        std::array<std::byte, sizeof(Integer)> bytes{};
        store_big_endian(bytes, value);
        out_.insert(out_.end(), bytes.begin(), bytes.end());
    }
    void u8(std::uint64_t value) { put(static_cast<std::uint8_t>(value)); }
    void u16(std::uint64_t value) { put(static_cast<std::uint16_t>(value)); }
    void u32(std::uint64_t value) { put(static_cast<std::uint32_t>(value)); }
    /// 0 if it does not fit the field.
    void length(std::uint64_t value) { u16(value > std::numeric_limits<std::uint16_t>::max() ? 0 : value); }
    void bytes(std::span<const std::byte> data) { out_.insert(out_.end(), data.begin(), data.end()); }
    [[nodiscard]] std::size_t size() const { return out_.size(); }

private:
    std::vector<std::byte>& out_;
};

/// The sum of RFC 1071, not folded; zeros after the bytes would not change it.
std::uint64_t sum_of(std::span<const std::byte> bytes) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        sum += std::to_integer<std::uint64_t>(bytes[i]) << (i % 2 == 0 ? 8U : 0U);
    }
    return sum;
}

std::uint16_t folded(std::uint64_t sum) {
    while (sum > 0xffff) {
        sum = (sum & 0xffff) + (sum >> 16U);
    }
    return static_cast<std::uint16_t>(~sum);
}

std::span<const std::byte> address_of(const PacketEnd& end) {
    return std::span(end.address).first(end.ipv6 ? 16 : 4);
}

std::uint8_t protocol_of(const PacketImage& image) {
    return ip_protocol_of(image.transport, image.from.ipv6);
}

void put_ports(const PacketImage& image, Fields& out) {
    out.u16(image.from.port);
    out.u16(image.to.port);
}

/// Returns: where the checksum is.
std::size_t put_udp(const PacketImage& image, std::uint32_t behind, Fields& out) {
    const bool tunnel = image.transport == Transport::usrsctp;
    out.u16(tunnel ? kSctpOverUdp : image.from.port);
    out.u16(tunnel ? kSctpOverUdp : image.to.port);
    // UDP-Lite has the checksum's coverage there; 0 is all (RFC 3828, 3.1).
    image.transport == Transport::udplite ? out.u16(0) : out.length(8 + std::uint64_t{behind});
    const std::size_t at = out.size();
    out.u16(0);
    return at;
}

std::size_t put_tcp(const PacketImage& image, Fields& out) {
    put_ports(image, out);
    out.u32(image.stream_at);
    out.u32(1);
    out.u8(0x50);  // 20 bytes of header
    out.u8(0x18);  // PSH, ACK
    out.u16(0xffff);
    const std::size_t at = out.size();
    out.u32(0);  // checksum, urgent pointer
    return at;
}

std::size_t put_echo(const PacketImage& image, Fields& out) {
    constexpr std::uint64_t kReplyBit = 0x8000;
    const bool ipv6 = image.from.ipv6;
    out.u8(image.reply ? (ipv6 ? 129 : 0) : (ipv6 ? 128 : 8));
    out.u8(0);
    const std::size_t at = out.size();
    out.u16(0);
    out.u16(image.reply ? image.from.port : image.to.port);
    out.u16((image.number & (kReplyBit - 1)) | (image.reply ? kReplyBit : 0));
    return at;
}

/// A packet with one data chunk (RFC 9260, 3). Its CRC is 0: it would need the complete payload.
void put_sctp(const PacketImage& image, Fields& out) {
    put_ports(image, out);
    out.u32(1);  // verification tag
    out.u32(0);
    out.u8(0);     // DATA
    out.u8(0x07);  // unordered, a complete message
    out.length(16 + std::uint64_t{image.payload_size});
    out.u32(image.number);
    out.u32(0);  // stream and its number
    out.u32(0);  // payload protocol
}

/// DCCP-Data with long sequence numbers (RFC 4340, 5.1).
std::size_t put_dccp(const PacketImage& image, Fields& out) {
    put_ports(image, out);
    out.u8(4);  // words of header
    out.u8(0);
    const std::size_t at = out.size();
    out.u16(0);
    out.u8(0x05);  // DCCP-Data, X
    out.u8(0);
    out.u16(image.number >> 32U);
    out.u32(image.number);
    return at;
}

/// SCTP's chunks are padded to four bytes.
std::uint32_t payload_on_wire(const PacketImage& image) {
    const bool chunk = image.transport == Transport::sctp or image.transport == Transport::usrsctp;
    return chunk ? (image.payload_size + 3) / 4 * 4 : image.payload_size;
}

/// Returns: where the checksum is, or kNone.
std::size_t put_transport(const PacketImage& image, Fields& out) {
    switch (image.transport) {
        case Transport::udp:
        case Transport::udplite:
            return put_udp(image, image.payload_size, out);
        case Transport::tcp:
        case Transport::mptcp:
            return put_tcp(image, out);
        case Transport::icmp:
            return put_echo(image, out);
        case Transport::sctp:
            put_sctp(image, out);
            return kNone;
        case Transport::usrsctp: {
            const std::size_t at = put_udp(image, 28 + payload_on_wire(image), out);
            put_sctp(image, out);
            return at;
        }
        case Transport::dccp:
            return put_dccp(image, out);
    }
    return kNone;
}

void put_ipv4(const PacketImage& image, std::uint32_t behind, std::vector<std::byte>& bytes) {
    const std::size_t start = bytes.size();
    Fields out(bytes);
    out.u8(0x45);
    out.u8(image.ds_byte);
    out.length(20 + std::uint64_t{behind});
    out.u16(image.number);
    out.u16(0);
    out.u8(image.ttl);
    out.u8(protocol_of(image));
    out.u16(0);
    out.bytes(address_of(image.from));
    out.bytes(address_of(image.to));
    store_big_endian(std::span(bytes).subspan(start + 10), folded(sum_of(std::span(bytes).subspan(start))));
}

void put_ipv6(const PacketImage& image, std::uint32_t behind, std::vector<std::byte>& bytes) {
    Fields out(bytes);
    out.u32(std::uint64_t{6} << 28U | std::uint64_t{image.ds_byte} << 20U);
    out.length(behind);
    out.u8(protocol_of(image));
    out.u8(image.ttl);
    out.bytes(address_of(image.from));
    out.bytes(address_of(image.to));
}

/// For the pseudo-header (RFC 9293, 3.1; RFC 8200, 8.1); ICMP over IPv4 has none.
std::uint64_t pseudo_sum(const PacketImage& image, std::uint32_t behind) {
    if (image.transport == Transport::icmp and not image.from.ipv6) {
        return 0;
    }
    return sum_of(address_of(image.from)) + sum_of(address_of(image.to)) + protocol_of(image) + (behind & 0xffff) +
           (behind >> 16U);
}

}  // namespace

std::uint32_t append_image(const PacketImage& image, std::vector<std::byte>& out) {
    const std::size_t start = out.size();
    const std::uint32_t behind = traits(image.transport).header_bytes + payload_on_wire(image);
    image.from.ipv6 ? put_ipv6(image, behind, out) : put_ipv4(image, behind, out);
    const std::size_t transport = out.size();
    Fields fields(out);
    const std::size_t checksum = put_transport(image, fields);
    fields.bytes(image.payload);
    if (checksum != kNone) {
        std::uint16_t value = folded(pseudo_sum(image, behind) + sum_of(std::span(out).subspan(transport)));
        if (value == 0 and not traits(image.transport).stream) {
            value = 0xffff;  // for UDP, 0 means no checksum (RFC 768)
        }
        store_big_endian(std::span(out).subspan(checksum), value);
    }
    const std::size_t captured = out.size() - start;
    const auto length = static_cast<std::uint32_t>(transport - start) + behind;
    return std::max(length, static_cast<std::uint32_t>(captured));
}

}  // namespace groma
