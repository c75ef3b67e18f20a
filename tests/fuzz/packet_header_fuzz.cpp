// Untrusted packets: a header that was read gives the same bytes when it is written, and no seal is right by chance.
// The first byte chooses how much of the header the flow carries; the rest is the packet, or a reply.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/base/errors.hpp"
#include "common/wire/packet_format.hpp"

using namespace groma;

namespace {

constexpr std::array kLevels = {HeaderLevel::full, HeaderLevel::sequence, HeaderLevel::none};
constexpr std::size_t kFlags = 19;  // any are read, 0 is written

/// If it is not a packet it may be a reply, which has all of the header.
void check_reply(std::span<const std::byte> packet, HeaderLevel level) {
    const auto reply = parse_reply(packet, level);
    if (not reply) {
        return;
    }
    const std::size_t size = reply_header_size(packet.size(), level);
    std::array<std::byte, kReplyHeaderSize> written{};
    serialize(*reply, written, size);
    check(std::ranges::equal(packet.first(kFlags), std::span(written).first(kFlags)),
          "a reply was read as what it is not");
    check(std::ranges::equal(packet.subspan(kFlags + 1, size - kFlags - 1),
                             std::span(written).subspan(kFlags + 1, size - kFlags - 1)),
          "stamps were read as what they are not");
}

void check_round_trip(std::span<const std::byte> packet, HeaderLevel level) {
    const auto prefix = parse_packet(packet, level);
    const std::size_t size = header_size(packet.size(), level);
    if (not prefix) {
        check(size == kPacketHeaderSize, "a packet without a magic was refused");
        check_reply(packet, level);
        return;
    }
    const PacketHeader header{.seq = prefix->seq.value_or(0),
                              .sent_at = prefix->sent_at.value_or(WallTime{}),
                              .flow = prefix->flow.value_or(FlowId{})};
    std::array<std::byte, kPacketHeaderSize> written{};
    serialize(header, written, size);
    check(std::ranges::equal(packet.first(std::min(size, kFlags)), std::span(written).first(std::min(size, kFlags))),
          "a header was read as what it is not");
}

/// A seal that nobody made is wrong; what is read of a packet that was sealed is what was written.
void check_seal(std::span<const std::byte> packet) {
    const PacketFormat format{HeaderLevel::full, MacKey{.low = 1, .high = 2}};
    for (const PacketKind kind : {PacketKind::packet, PacketKind::reply}) {
        const ReadPacket read = format.read(packet, packet.size(), kind);
        check(read.forged and not read.packet, "a packet without the right seal was taken");
    }
    const auto prefix = parse_packet(packet, HeaderLevel::full);
    if (not prefix or not prefix->flow or packet.size() < kSealedPacket) {
        return;
    }
    const PacketHeader header{.seq = *prefix->seq, .sent_at = *prefix->sent_at, .flow = *prefix->flow};
    std::array<std::byte, kSealedPacket> written{};
    const std::size_t size = format.write(header, packet.size(), written);
    const ReadPacket read = format.read(std::span(written).first(size), packet.size(), PacketKind::packet);
    check(read.packet and read.packet->header == *prefix, "a sealed packet was not taken as it was written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const auto packet = std::as_bytes(std::span(data, size)).subspan(1);
    check_round_trip(packet, kLevels[data[0] % kLevels.size()]);
    check_seal(packet);

    SequenceUnwrapper unwrapper;
    for (std::size_t at = 0; at + 4 <= packet.size(); at += 4) {
        const auto seq = parse_packet(packet.subspan(at, 4), HeaderLevel::sequence)->seq.value();
        check(static_cast<std::uint32_t>(unwrapper.unwrap(seq)) == seq, "unwrapping changed a number");
    }
    return 0;
}
