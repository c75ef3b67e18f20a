#include "decoder/analysis/plain_arrivals.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace groma {
namespace {

constexpr std::int64_t kNoTimeNs = ns_since_epoch(ReceivedRecord::kNoTime);

/// Of arrivals with these numbers and times; each took 100 ns.
PlainArrivals plain_of(const std::vector<std::uint64_t>& numbers, const std::vector<std::int64_t>& sent) {
    std::vector<std::int64_t> received;
    received.reserve(sent.size());
    for (const std::int64_t at : sent) {
        received.push_back(at == kNoTimeNs ? 100 : at + 100);
    }
    const std::vector<std::uint64_t> sizes(numbers.size(), 64);
    return plain_among({numbers, sent, received, sizes, {}, {}}, Vicinity(wall_time_from_ns(0)));
}

TEST(PlainArrivals, EndWhereANumberIsMissing) {
    const PlainArrivals plain = plain_of({5, 6, 7, 9}, {30, 10, 20, 1000});
    EXPECT_EQ(plain.count, 3U);
    EXPECT_EQ(plain.sent.least, 10);
    EXPECT_EQ(plain.sent.most, 30);
    EXPECT_EQ(plain.received.least, 110);
    EXPECT_EQ(plain.received.most, 130);
}

TEST(PlainArrivals, EndBeforeTheFirstThatDoesNotSayWhenItLeft) {
    const PlainArrivals plain = plain_of({5, 6, 7}, {10, kNoTimeNs, 20});
    EXPECT_EQ(plain.count, 1U);
    EXPECT_EQ(plain.sent.least, 10);
    EXPECT_EQ(plain.sent.most, 10);
    EXPECT_EQ(plain_of({5, 6}, {kNoTimeNs, 20}).count, 0U);
}

TEST(PlainArrivals, HaveNumbers) {
    EXPECT_EQ(plain_of({ReceivedRecord::kNoSeq, 0}, {10, 20}).count, 0U);
    EXPECT_EQ(plain_of({ReceivedRecord::kNoSeq - 1, ReceivedRecord::kNoSeq}, {10, 20}).count, 1U);
}

TEST(PlainArrivals, AreNoneWhereOneTimeIsFarFromTheRun) {
    EXPECT_EQ(plain_of({5, 6}, {10, Vicinity::kRadius - 100}).count, 2U);
    EXPECT_EQ(plain_of({5, 6}, {10, Vicinity::kRadius - 99}).count, 0U);
    EXPECT_EQ(plain_of({5, 6}, {-Vicinity::kRadius - 1, 10}).count, 0U);
    EXPECT_EQ(plain_of({5, 7}, {10, Vicinity::kRadius}).count, 1U);
}

}  // namespace
}  // namespace groma
