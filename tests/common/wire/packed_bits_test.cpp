#include "common/wire/packed_bits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace groma {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr std::byte kUntouched{0xee};

std::vector<std::byte> bits_of(const std::vector<std::uint64_t>& values, PackedFrame frame) {
    std::vector<std::byte> bytes(packed_size(values.size(), frame.width), kUntouched);
    pack_bits(values, frame, bytes);
    return bytes;
}

std::vector<std::uint64_t> values_in(std::span<const std::byte> bytes, PackedFrame frame, std::size_t count) {
    std::vector<std::uint64_t> values(count);
    unpack_bits(bytes, frame, values);
    return values;
}

TEST(PackedBits, HaveTheLowestBitFirstAndZerosInTheUnusedOnes) {
    EXPECT_THAT(bits_of({1001, 1006, 1003}, {.minimum = 1000, .width = 3}),
                ElementsAre(std::byte{0b11'110'001}, std::byte{0b0'000'000'0}));
    EXPECT_THAT(bits_of({0x3ff, 0x001}, {.minimum = 0, .width = 10}),
                ElementsAre(std::byte{0xff}, std::byte{0b000001'11}, std::byte{0}));
}

TEST(PackedBits, OfEveryWidthComeBackWithOrWithoutBytesBehindThem) {
    std::mt19937_64 random(5);
    for (unsigned width = 1; width <= 64; ++width) {
        const PackedFrame frame{.minimum = random(), .width = width};
        std::vector<std::uint64_t> values(1 + random() % 130);
        for (std::uint64_t& value : values) {
            value = frame.minimum + (random() >> (64 - width));
        }
        std::vector<std::byte> bytes = bits_of(values, frame);
        EXPECT_EQ(values_in(bytes, frame, values.size()), values) << width << " bits, nothing behind them";
        bytes.resize(bytes.size() + 9, std::byte{0xff});
        EXPECT_EQ(values_in(bytes, frame, values.size()), values) << width << " bits, others behind them";
    }
}

TEST(PackedBits, OfNoWidthTakeNoBytesAndAreTheMinimum) {
    EXPECT_EQ(packed_size(100, 0), 0U);
    EXPECT_THAT(bits_of({7, 7, 7}, {.minimum = 7, .width = 0}), ElementsAre());
    EXPECT_THAT(values_in({}, {.minimum = 7, .width = 0}, 100), Each(7U));
    const std::array<std::byte, 8> others{std::byte{0xff}};
    EXPECT_THAT(values_in(others, {.minimum = 7, .width = 0}, 100), Each(7U));
}

TEST(PackedBits, OffsetsAreModuloTwoToThe64) {
    const PackedFrame frame{.minimum = ~std::uint64_t{0}, .width = 2};  // -1
    EXPECT_EQ(values_in(bits_of({~std::uint64_t{0}, 0, 2}, frame), frame, 3),
              (std::vector<std::uint64_t>{~std::uint64_t{0}, 0, 2}));
}

}  // namespace
}  // namespace groma
