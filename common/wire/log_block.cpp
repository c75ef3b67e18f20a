#include "common/wire/log_block.hpp"

#include <xxhash.h>

#include <algorithm>

#include "common/wire/byte_reader.hpp"
#include "common/wire/byte_writer.hpp"

namespace groma {

namespace {

constexpr std::size_t kCheckedFrom = 16;  ///< follows magic, header check and checksum

std::uint64_t hash_of(std::span<const std::byte> bytes) noexcept {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint32_t short_hash_of(std::span<const std::byte> bytes) noexcept {
    return static_cast<std::uint32_t>(hash_of(bytes));
}

bool starts_with(std::span<const std::byte> bytes, std::span<const std::byte> magic) noexcept {
    const std::size_t size = std::min(bytes.size(), magic.size());
    return std::equal(magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(size), bytes.begin());
}

std::uint32_t largest_payload(std::uint8_t type) noexcept {
    switch (static_cast<BlockType>(type)) {
        case BlockType::sent:
        case BlockType::received:
        case BlockType::round_trip:
        case BlockType::transmitted:
        case BlockType::connection:
            return kMaxRecordPayload;
        case BlockType::metadata:
        case BlockType::probe:
        case BlockType::event:
        case BlockType::totals:
            break;
    }
    return kMaxJsonPayload;
}

}  // namespace

std::array<std::byte, kLogHeaderSize> make_log_header(std::uint16_t version) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.bytes(kLogMagic);
    out.u16(version);
    out.u16(0);
    out.u32(short_hash_of(bytes));
    std::array<std::byte, kLogHeaderSize> header{};
    std::copy(bytes.begin(), bytes.end(), header.begin());
    return header;
}

LogHeader parse_log_header(std::span<const std::byte> bytes) noexcept {
    if (bytes.empty() or not starts_with(bytes, kLogMagic)) {
        return {LogHeader::State::foreign, 0};
    }
    if (bytes.size() < kLogHeaderSize) {
        return {LogHeader::State::cut, 0};
    }
    ByteReader in(bytes.subspan(kLogMagic.size(), kLogHeaderSize - kLogMagic.size()));
    const std::uint16_t version = in.u16();
    const bool reserved_is_zero = in.u16() == 0;
    if (in.u32() != short_hash_of(bytes.first(12)) or not reserved_is_zero) {
        return {LogHeader::State::damaged, 0};
    }
    return {LogHeader::State::whole, version};
}

void seal_block(const BlockHeader& header, std::vector<std::byte>& block) {
    const auto payload = static_cast<std::uint32_t>(block.size() - kBlockHeaderSize);
    std::vector<std::byte> fields;
    ByteWriter out(fields);
    out.u8(header.type);
    out.u8(header.version);
    out.u8(header.compression);
    out.u8(0);
    out.u32(header.flow.value);
    out.u64(header.number);
    out.u64(header.first_seq);
    out.u32(header.count);
    out.u32(payload);
    out.u32(payload);
    std::copy(fields.begin(), fields.end(), block.begin() + kCheckedFrom);

    std::vector<std::byte> checks;
    ByteWriter front(checks);
    front.bytes(kBlockMagic);
    front.u32(short_hash_of(fields));
    front.u64(hash_of(std::span(block).subspan(kCheckedFrom)));
    std::copy(checks.begin(), checks.end(), block.begin());
}

std::optional<BlockHeader> parse_block_header(std::span<const std::byte> bytes) noexcept {
    if (bytes.size() < kBlockHeaderSize or not starts_with(bytes, kBlockMagic)) {
        return std::nullopt;
    }
    ByteReader checks(bytes.subspan(kBlockMagic.size()));
    const auto fields = bytes.subspan(kCheckedFrom, kBlockHeaderSize - kCheckedFrom);
    if (checks.u32() != short_hash_of(fields)) {
        return std::nullopt;
    }
    ByteReader in(fields);
    BlockHeader header;
    header.type = in.u8();
    header.version = in.u8();
    header.compression = in.u8();
    static_cast<void>(in.u8());  // reserved for later versions
    header.flow = FlowId{in.u32()};
    header.number = in.u64();
    header.first_seq = in.u64();
    header.count = in.u32();
    header.stored_length = in.u32();
    header.raw_length = in.u32();
    if (header.stored_length > largest_payload(header.type)) {
        return std::nullopt;
    }
    return header;
}

bool block_is_intact(std::span<const std::byte> block) noexcept {
    ByteReader in(block.subspan(8));
    return in.u64() == hash_of(block.subspan(kCheckedFrom));
}

}  // namespace groma
