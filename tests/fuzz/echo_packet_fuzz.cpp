// Packets of datagram flows through raw sockets and back from the kernel: a built packet is found again after any link
// header, options and extensions. Checksums are those of RFC 1071, however the bytes are cut, and no byte outside of
// the input is read.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/transport/transport.hpp"
#include "common/net/stamps/looped_packet.hpp"
#include "common/wire/big_endian.hpp"
#include "common/wire/icmp_packet.hpp"
#include "common/wire/ip_packet.hpp"
#include "tests/fuzz/choices.hpp"

namespace {

using namespace groma;  // a program of one file
using Bytes = std::vector<std::byte>;

Bytes rest_of(Choices& choices) {
    Bytes bytes;
    while (choices.more()) {
        bytes.push_back(static_cast<std::byte>(choices.next()));
    }
    return bytes;  // of exactly this size: a further byte belongs to other data
}

// RFC 1071, word by word.
std::uint16_t slow_checksum(std::span<const std::byte> bytes) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        sum += std::to_integer<std::uint32_t>(bytes[i]) << (i % 2 == 0 ? 8U : 0U);
        sum = (sum & 0xffffU) + (sum >> 16U);
    }
    return static_cast<std::uint16_t>(~sum);
}

/// Of a payload in pieces of this size.
std::uint16_t checksum_of(std::span<const std::byte> header, std::span<const std::byte> payload, std::size_t piece) {
    InternetChecksum checksum;
    checksum.add(header);
    do {
        const auto next = payload.first(std::min(piece, payload.size()));
        checksum.add(next);
        payload = payload.subspan(next.size());
    } while (not payload.empty());
    return checksum.value();
}

void look_at_checksum(Choices& choices) {
    IcmpEcho echo{.type = choices.next(),
                  .identifier = choices.number<std::uint16_t>(),
                  .sequence = choices.number<std::uint16_t>()};
    const std::size_t piece = 1 + choices.next();
    const Bytes payload = rest_of(choices);
    std::array<std::byte, kIcmpHeaderSize> header{};
    serialize(echo, header);
    Bytes packet(header.begin(), header.end());
    packet.insert(packet.end(), payload.begin(), payload.end());
    echo.checksum = checksum_of(header, payload, piece);
    check(echo.checksum == slow_checksum(packet), "a checksum is another than that of the definition");
    serialize(echo, header);
    check(load_big_endian<std::uint16_t>(std::span<const std::byte>(header).subspan(2)) == echo.checksum and
              load_big_endian<std::uint16_t>(std::span<const std::byte>(header).subspan(4)) == echo.identifier and
              load_big_endian<std::uint16_t>(std::span<const std::byte>(header).subspan(6)) == echo.sequence,
          "a field is not in its place");
    check(checksum_of(header, payload, piece) == 0, "a packet with its checksum does not verify");
}

struct Built {
    Bytes bytes;
    LoopedFlow flow;
    std::optional<std::uint32_t> seq;
};

void put(Bytes& bytes, std::initializer_list<unsigned> values) {
    for (const unsigned value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
}

/// Of fewer bytes than an IP packet may have.
void put_ip_header(Bytes& bytes, Choices& choices, bool v6, std::uint8_t protocol, std::size_t length) {
    const unsigned more = choices.below(v6 ? 3 : 11);  // extension headers or words of options
    if (v6) {
        put(bytes, {0x60, 0, 0, 0, 0, static_cast<unsigned>(length + more * 8U), more > 0 ? 60U : protocol, 64});
        bytes.insert(bytes.end(), 31, std::byte{0});
        put(bytes, {1});
        for (unsigned i = 0; i < more; ++i) {
            put(bytes, {i + 1 < more ? 60U : protocol, 0, 1, 4, 0, 0, 0, 0});
        }
        return;
    }
    put(bytes, {0x45 + more, 0, 0, static_cast<unsigned>(20 + more * 4 + length), 0, 0, 0, 0, 64, protocol, 0, 0});
    put(bytes, {10, 0, 0, 1, 192, 0, 2, 7});
    bytes.insert(bytes.end(), more * 4, std::byte{1});
}

/// As returned by the kernel.
Built build(Choices& choices) {
    constexpr std::array<std::uint8_t, 3> kProtocols = {ip_protocol::kUdp, ip_protocol::kUdpLite, 0};
    Built built;
    const bool v6 = choices.one_in(2);
    const std::uint8_t chosen = kProtocols.at(choices.below(kProtocols.size()));
    const std::uint8_t icmp = v6 ? ip_protocol::kIcmp6 : ip_protocol::kIcmp;
    built.flow = {.to = SocketAddress::from_literal(v6 ? "::1" : "192.0.2.7", 9),
                  .protocol = chosen == 0 ? icmp : chosen};
    built.bytes.insert(built.bytes.end(), choices.below(10) * 2U, std::byte{2});  // not a version of IP
    const std::size_t payload = choices.below(40);
    const std::size_t length = 8 + payload;
    put_ip_header(built.bytes, choices, v6, built.flow.protocol, length);
    const unsigned type = chosen == 0 ? (v6 ? kEchoRequest6 : kEchoRequest) : 0U;
    put(built.bytes, {type, 0, 0, 9, 0, static_cast<unsigned>(length), 0, 0});
    for (std::size_t i = 0; i < payload; ++i) {
        built.bytes.push_back(static_cast<std::byte>(choices.next()));
    }
    if (payload >= 4) {
        built.seq = load_big_endian<std::uint32_t>(std::span<const std::byte>(built.bytes).last(payload));
    }
    return built;
}

void look_at_built(Choices& choices) {
    const Built built = build(choices);
    check(built.bytes.size() <= kLoopedBytes + 40, "there is room for all of it");
    const auto all = std::span<const std::byte>(built.bytes);
    const auto looped = all.first(std::min(all.size(), kLoopedBytes));
    const Bytes alone(looped.begin(), looped.end());
    check(sequence_of_looped(alone, built.flow) == built.seq, "a packet that was sent is not known again");
    LoopedFlow other = built.flow;
    other.to = SocketAddress::from_literal(other.to.family() == AF_INET ? "192.0.2.8" : "::2", 9);
    check(not sequence_of_looped(all, other), "a packet is taken for that of another flow");
}

void look_at_any(Choices& choices) {
    const bool v6 = choices.one_in(2);
    const LoopedFlow flow{.to = SocketAddress::from_literal(v6 ? "::1" : "192.0.2.7", 9), .protocol = choices.next()};
    const Bytes bytes = rest_of(choices);
    if (const auto seq = sequence_of_looped(bytes, flow)) {
        std::array<std::byte, 4> number{};
        store_big_endian(std::span<std::byte>(number), *seq);
        check(std::ranges::search(bytes, number).begin() != bytes.end(), "a number is not among the bytes");
    }
    const FoundIp found = find_ip(bytes, LinkType::raw);
    if (not found.packet) {
        return;
    }
    const IpPacket& packet = *found.packet;
    const auto lies_within = [&](std::span<const std::byte> part) {
        return part.empty() or
               (part.data() >= bytes.data() and part.data() + part.size() <= bytes.data() + bytes.size());
    };
    check(lies_within(packet.source) and lies_within(packet.destination) and lies_within(packet.bytes),
          "a part of a packet is not within it");
    check(packet.source.size() == packet.destination.size() and packet.bytes.size() <= packet.length and
              packet.length <= 65'535,
          "a packet is longer than IP allows");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Choices choices(std::span(data, size));
    switch (choices.below(3)) {
        case 0:
            look_at_checksum(choices);
            break;
        case 1:
            look_at_built(choices);
            break;
        default:
            look_at_any(choices);
    }
    return 0;
}
