#include "common/wire/packet_format.hpp"

#include <algorithm>
#include <array>

#include "common/model/flow/sealing.hpp"
#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

constexpr std::size_t kVersion = 18;

static_assert(kSealedPacket == smallest_sealed(Transport::udp) and
              kSealedPacket + 1 == smallest_sealed(Transport::tcp));

std::uint64_t code_of(const MacKey& key, std::span<const std::byte> covered, std::size_t size) noexcept {
    std::array<std::byte, kReplyHeaderSize + sizeof(std::uint32_t)> bytes{};
    std::ranges::copy(covered, bytes.begin());
    store_big_endian(std::span(bytes).subspan(covered.size()), static_cast<std::uint32_t>(size));
    return mac_of(key, std::span(bytes).first(covered.size() + sizeof(std::uint32_t)));
}

ReadPacket read_unsealed(std::span<const std::byte> start, HeaderLevel level, PacketKind kind,
                         std::uint8_t version) noexcept {
    if (kind == PacketKind::reply) {
        return {.packet = parse_reply(start, level, version)};
    }
    const auto header = parse_packet(start, level, kind, version);
    return {.packet = header ? std::optional(Reply{.header = *header, .stamps = {}}) : std::nullopt};
}

}  // namespace

void PacketFormat::put_seal(std::span<std::byte> out, std::size_t covered, std::size_t size) const noexcept {
    out[kVersion] = std::byte{kSealedVersion};
    store_big_endian(out.subspan(covered), code_of(*seal_, out.first(covered), size));
}

bool PacketFormat::is_sealed(std::span<const std::byte> start, std::size_t covered, std::size_t size) const noexcept {
    return load_big_endian<std::uint64_t>(start.subspan(covered)) == code_of(*seal_, start.first(covered), size);
}

std::size_t PacketFormat::write(const PacketHeader& header, std::size_t size, std::span<std::byte> out) const noexcept {
    const std::size_t start = start_size(size, PacketKind::packet);
    serialize(header, out, std::min(start, kPacketHeaderSize));
    if (start == kSealedPacket) {
        put_seal(out, kPacketHeaderSize, size);
    }
    return start;
}

std::size_t PacketFormat::write(const Reply& reply, std::size_t size, std::span<std::byte> out) const noexcept {
    const std::size_t start = start_size(size, PacketKind::reply);
    const bool sealed = start == kSealedPacket or start == kSealedReply;
    const std::size_t before_seal = sealed ? start - kMacBytes : start;
    serialize(reply, out, before_seal);
    if (sealed) {
        put_seal(out, before_seal, size);
    }
    return start;
}

ReadPacket PacketFormat::read(std::span<const std::byte> start, std::size_t size, PacketKind kind) const noexcept {
    const std::size_t wanted = start_size(size, kind);
    if (start.size() < wanted) {
        return {};
    }
    start = start.first(wanted);
    if (not seal_) {
        return read_unsealed(start, header_, kind, kPacketVersion);
    }
    if (wanted < kSealedPacket) {
        return {.forged = true};
    }
    const std::size_t covered = start.size() - kMacBytes;
    if (not is_sealed(start, covered, size)) {
        return {.forged = true};
    }
    ReadPacket read = read_unsealed(start.first(covered), header_, kind, kSealedVersion);
    read.forged = not read.packet;  // one of the flow's was sent the wrong way
    return read;
}

}  // namespace groma
