#include "common/wire/log_block.hpp"

#include <gtest/gtest.h>

#include "common/wire/byte_writer.hpp"

namespace groma {
namespace {

BlockHeader some_header() {
    return {.type = static_cast<std::uint8_t>(BlockType::received),
            .flow = FlowId{7},
            .number = 0x123456789abc,
            .first_seq = 0xfedcba9876543210,
            .count = 3,
            .stored_length = 5,
            .raw_length = 5};
}

std::vector<std::byte> some_block() {
    std::vector<std::byte> block(kBlockHeaderSize + 5, std::byte{0x5a});
    seal_block(some_header(), block);
    return block;
}

TEST(LogBlock, AHeaderComesBack) {
    const auto block = some_block();
    EXPECT_EQ(parse_block_header(block), some_header());
    EXPECT_TRUE(block_is_intact(block));
}

TEST(LogBlock, ABitFlippedAnywhereIsSeen) {
    const auto whole = some_block();
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
        auto block = whole;
        block[bit / 8] ^= std::byte{1} << (bit % 8);
        const bool seen = not parse_block_header(block) or not block_is_intact(block);
        EXPECT_TRUE(seen) << "bit " << bit;
    }
}

TEST(LogBlock, AHeaderCutAnywhereIsNone) {
    const auto block = some_block();
    for (std::size_t size = 0; size < kBlockHeaderSize; ++size) {
        EXPECT_FALSE(parse_block_header(std::span(block).first(size)));
    }
}

TEST(LogBlock, RecordsBeyondTheLimitAreRefusedByTheirHeader) {
    BlockHeader header = some_header();
    std::vector<std::byte> block(kBlockHeaderSize + kMaxRecordPayload);
    seal_block(header, block);
    EXPECT_TRUE(parse_block_header(block));
    block.push_back(std::byte{0});
    seal_block(header, block);
    EXPECT_FALSE(parse_block_header(block));
    header.type = static_cast<std::uint8_t>(BlockType::metadata);
    seal_block(header, block);
    EXPECT_TRUE(parse_block_header(block));
}

TEST(LogBlock, ALogHeaderSaysItsVersion) {
    const LogHeader header = parse_log_header(make_log_header(3));
    EXPECT_EQ(header.state, LogHeader::State::whole);
    EXPECT_EQ(header.version, 3);
}

TEST(LogBlock, ALogHeaderWithAnyBitFlippedIsForeignOrDamaged) {
    for (std::size_t bit = 0; bit < kLogHeaderSize * 8; ++bit) {
        auto bytes = make_log_header();
        bytes[bit / 8] ^= std::byte{1} << (bit % 8);
        const auto expected = bit < kLogMagic.size() * 8 ? LogHeader::State::foreign : LogHeader::State::damaged;
        EXPECT_EQ(parse_log_header(bytes).state, expected) << "bit " << bit;
    }
}

TEST(LogBlock, ALogHeaderThatEndsEarlyIsCut) {
    const auto bytes = make_log_header();
    for (std::size_t size = 1; size < kLogHeaderSize; ++size) {
        EXPECT_EQ(parse_log_header(std::span(bytes).first(size)).state, LogHeader::State::cut);
    }
}

}  // namespace
}  // namespace groma
