#include "tests/fuzz/sealed_logs.hpp"

#include <algorithm>
#include <cstdint>

#include "common/wire/byte_reader.hpp"
#include "common/wire/log_block.hpp"

namespace groma {

namespace {

constexpr unsigned kType = 0x1f;
constexpr unsigned kVersion2 = 0x20;
constexpr unsigned kJump = 0x40;
constexpr unsigned kSecond = 0x80;
constexpr std::size_t kHeadBytes = 14;

}  // namespace

std::array<SealedLog, 2> sealed_logs(std::span<const std::byte> input) {
    const auto start = make_log_header();
    std::array<SealedLog, 2> logs{SealedLog(start.begin(), start.end()), SealedLog(start.begin(), start.end())};
    std::array<std::uint64_t, 2> numbers{};
    while (input.size() >= kHeadBytes) {
        ByteReader in(input);
        const unsigned kind = in.u8();
        const std::size_t which = (kind & kSecond) != 0 ? 1 : 0;
        BlockHeader header{.type = static_cast<std::uint8_t>(kind & kType),
                           .version = (kind & kVersion2) != 0 ? kArrivalHeaderVersion : kBlockVersion,
                           .flow = FlowId{in.u8()},
                           .number = numbers[which],
                           .first_seq = in.u64(),
                           .count = in.u16()};
        header.number += (kind & kJump) != 0 ? 1 : 0;
        numbers[which] = header.number + 1;
        const std::size_t size = std::min<std::size_t>(in.u16(), input.size() - kHeadBytes);
        std::vector<std::byte> block(kBlockHeaderSize + size);
        std::ranges::copy(input.subspan(kHeadBytes, size), block.begin() + kBlockHeaderSize);
        seal_block(header, block);
        logs[which].insert(logs[which].end(), block.begin(), block.end());
        input = input.subspan(kHeadBytes + size);
    }
    return logs;
}

}  // namespace groma
