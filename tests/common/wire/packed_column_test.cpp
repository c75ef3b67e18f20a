#include "common/wire/packed_column.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace groma {
namespace {

using Values = std::vector<std::uint64_t>;

std::vector<std::byte> packed(Values values) {
    std::vector<std::byte> bytes;
    pack_column(values, bytes);
    return bytes;
}

Values unpacked(const std::vector<std::byte>& bytes, std::size_t count) {
    Values values(count);
    ByteReader in(bytes);
    unpack_column(in, values);
    EXPECT_TRUE(in.finished());
    return values;
}

Values steps(std::size_t count, std::uint64_t first, std::uint64_t step) {
    Values values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = first + i * step;
    }
    return values;
}

TEST(PackedColumn, ValuesOfEveryWidthComeBack) {
    std::mt19937_64 random(1);
    for (unsigned width = 1; width <= 64; ++width) {
        Values values(1 + random() % 400);
        for (std::uint64_t& value : values) {
            value = random() >> (64 - width);
        }
        EXPECT_EQ(unpacked(packed(values), values.size()), values) << width << " bits";
    }
}

TEST(PackedColumn, ColumnsOfEveryLengthComeBack) {
    std::mt19937_64 random(2);
    for (std::size_t count = 1; count <= 3 * kPackedGroup; ++count) {
        Values values(count);
        for (std::uint64_t& value : values) {
            value = random() % 3000;
        }
        EXPECT_EQ(unpacked(packed(values), count), values) << count << " values";
    }
}

TEST(PackedColumn, ExtremesNextToEachOtherComeBack) {
    constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
    constexpr auto kSigned = std::uint64_t{1} << 63;
    const Values values{0, kMax, 0, kSigned, kSigned - 1, kMax, 1, kMax - 1, kSigned, 0};
    EXPECT_EQ(unpacked(packed(values), values.size()), values);
}

TEST(PackedColumn, AcceleratingValuesComeBack) {
    Values values(1000);
    for (std::uint64_t i = 0; i < values.size(); ++i) {
        values[i] = 5 * i * i - 77 * i;
    }
    EXPECT_EQ(unpacked(packed(values), values.size()), values);
}

TEST(PackedColumn, ConstantValuesCostNoBytesEach) {
    EXPECT_EQ(packed(Values(4096, 512)).size(), packed(Values(2, 512)).size());
}

TEST(PackedColumn, EvenStepsCostNoBytesEach) {
    EXPECT_EQ(packed(steps(4096, 7, 1)).size(), packed(steps(200, 7, 1)).size());
}

TEST(PackedColumn, AnOutlierMakesOnlyItsOwnGroupDear) {
    Values values(4096);
    std::mt19937_64 random(3);
    for (std::uint64_t& value : values) {
        value = random() % 2;
    }
    const std::size_t without = packed(values).size();
    values[1000] = std::uint64_t{1} << 62;
    EXPECT_LT(packed(values).size(), without + kPackedGroup * 8);
}

TEST(PackedColumn, NoValuesAreNoBytes) {
    EXPECT_TRUE(packed({}).empty());
    EXPECT_TRUE(unpacked({}, 0).empty());
}

TEST(PackedColumn, AColumnCutAnywhereIsAnError) {
    std::mt19937_64 random(4);
    Values values(300);
    for (std::uint64_t& value : values) {
        value = random() % 100000;
    }
    const auto bytes = packed(values);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        ByteReader in{std::span(bytes).first(size)};
        Values out(values.size());
        unpack_column(in, out);
        EXPECT_TRUE(in.failed()) << size << " bytes";
    }
}

TEST(PackedColumn, AWidthBeyondAWordIsAnError) {
    std::vector<std::byte> bytes(4000);
    bytes[1] = std::byte{65};
    ByteReader in(bytes);
    Values out(100);
    unpack_column(in, out);
    EXPECT_TRUE(in.failed());
}

TEST(PackedColumn, AnUnknownModeIsAnError) {
    for (const unsigned mode : {0x03U, 0x83U, 0x04U, 0x40U}) {
        std::vector<std::byte> bytes(4000);
        bytes[0] = static_cast<std::byte>(mode);
        ByteReader in(bytes);
        Values out(100);
        unpack_column(in, out);
        EXPECT_TRUE(in.failed()) << mode;
    }
}

TEST(PackedColumn, MoreOrdersThanValuesAreAnError) {
    std::vector<std::byte> bytes(100);
    bytes[0] = std::byte{0x82};
    ByteReader in(bytes);
    Values out(2);
    unpack_column(in, out);
    EXPECT_TRUE(in.failed());
}

}  // namespace
}  // namespace groma
