#include "common/wire/byte_reader.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "common/wire/byte_writer.hpp"

namespace groma {
namespace {

TEST(ByteReader, ReadsWhatAByteWriterWrote) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    out.u8(0xfe);
    out.u16(0xfedc);
    out.u32(0xfedcba98);
    out.u64(0xfedcba9876543210);
    ByteReader in(bytes);
    EXPECT_EQ(in.u8(), 0xfe);
    EXPECT_EQ(in.u16(), 0xfedc);
    EXPECT_EQ(in.u32(), 0xfedcba98U);
    EXPECT_EQ(in.u64(), 0xfedcba9876543210U);
    EXPECT_TRUE(in.finished());
}

TEST(ByteReader, NumbersAreLittleEndianOnEveryMachine) {
    std::vector<std::byte> bytes;
    ByteWriter(bytes).u32(0x01020304);
    const std::vector expected{std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}};
    EXPECT_EQ(bytes, expected);
}

TEST(ByteReader, AWordIsLoadedLittleEndian) {
    std::vector<std::byte> bytes;
    ByteWriter(bytes).u64(0x0102030405060708);
    EXPECT_EQ(load_u64(bytes.data()), 0x0102030405060708U);
}

TEST(ByteReader, AReadBeyondTheEndStaysAnErrorAndGivesZeros) {
    const std::vector<std::byte> bytes(3, std::byte{0xff});
    ByteReader in(bytes);
    EXPECT_EQ(in.u32(), 0U);
    EXPECT_TRUE(in.failed());
    EXPECT_EQ(in.u8(), 0U);  // although there were three bytes
    EXPECT_FALSE(in.finished());
}

TEST(ByteReader, BytesLeftOverAreNotFinished) {
    const std::vector<std::byte> bytes(3);
    ByteReader in(bytes);
    EXPECT_EQ(in.bytes(2).size(), 2U);
    EXPECT_FALSE(in.finished());
    EXPECT_FALSE(in.failed());
}

}  // namespace
}  // namespace groma
