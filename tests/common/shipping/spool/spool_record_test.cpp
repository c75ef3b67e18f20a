#include "common/shipping/spool/spool_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace groma {
namespace {

std::span<const std::byte> raw(std::string_view text) {
    return std::as_bytes(std::span(text));
}

TEST(SpoolRecord, BeginsWithTheBytesThatTheDocumentSays) {
    const auto header = spool_header(SpoolRecordKind::piece, 0x0102030405060708, raw("abc"));
    constexpr std::array<unsigned char, 16> kGolden{0, 0, 0, 3, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8};
    EXPECT_TRUE(std::ranges::equal(std::span(header).first(16), std::as_bytes(std::span(kGolden))));
    const auto parsed = parse_spool_header(header);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->length, 3U);
    EXPECT_EQ(parsed->kind, SpoolRecordKind::piece);
    EXPECT_EQ(parsed->number, 0x0102030405060708U);
}

TEST(SpoolRecord, BelongsToItsBytesAndToItsNumberAlone) {
    const auto header = spool_header(SpoolRecordKind::piece, 7, raw("abc"));
    EXPECT_TRUE(belongs_to(header, raw("abc")));
    EXPECT_FALSE(belongs_to(header, raw("abd")));
    EXPECT_FALSE(belongs_to(header, raw("ab")));
    for (std::size_t at = 0; at < header.size(); ++at) {
        auto other = header;
        other[at] ^= std::byte{1};
        EXPECT_FALSE(belongs_to(other, raw("abc"))) << at;
    }
}

TEST(SpoolRecord, IsNoneOfAnotherKindOrLongerThanAPiece) {
    auto header = spool_header(SpoolRecordKind::totals, 7, raw("abc"));
    ASSERT_TRUE(parse_spool_header(header));
    EXPECT_EQ(parse_spool_header(header)->kind, SpoolRecordKind::totals);
    for (const int kind : {0, 3}) {
        header[7] = static_cast<std::byte>(kind);
        EXPECT_FALSE(parse_spool_header(header)) << kind;
    }
    const std::vector<std::byte> longest(kMaxPieceBytes);
    EXPECT_TRUE(parse_spool_header(spool_header(SpoolRecordKind::piece, 0, longest)));
    const std::vector<std::byte> longer(kMaxPieceBytes + 1);
    EXPECT_FALSE(parse_spool_header(spool_header(SpoolRecordKind::piece, 0, longer)));
}

TEST(SpoolRecord, TotalsComeBackAsTheyWereAndInNoOtherLength) {
    const CloseLog totals{0, 1ULL << 63U, 1ULL << 40U, 0xfedcba9876543210};
    auto bytes = spool_totals(totals);
    EXPECT_EQ(parse_spool_totals(bytes), totals);
    EXPECT_FALSE(parse_spool_totals(std::span(bytes).first(bytes.size() - 1)));
    bytes.push_back(std::byte{0});
    EXPECT_FALSE(parse_spool_totals(bytes));
}

}  // namespace
}  // namespace groma
