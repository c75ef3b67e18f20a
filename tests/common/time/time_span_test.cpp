#include "common/time/time_span.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace groma {
namespace {

using namespace std::chrono_literals;

TEST(TimeSpan, OfNothingIsEmptyAndAddsNothing) {
    TimeSpan span;
    EXPECT_TRUE(span.empty());
    EXPECT_EQ(span.duration(), 0ns);
    span.include({});
    EXPECT_TRUE(span.empty());
    span.include({-3ns, 5ns});
    span.include({});
    EXPECT_EQ(span, (TimeSpan{-3ns, 5ns}));
}

TEST(TimeSpan, GrowsInBothDirections) {
    TimeSpan span{10ns, 20ns};
    span.include({15ns, 30ns});
    span.include({5ns, 7ns});
    EXPECT_EQ(span, (TimeSpan{5ns, 30ns}));
    EXPECT_EQ(span.duration(), 25ns);
}

TEST(TimeSpan, TheRateCountsGaps) {
    EXPECT_DOUBLE_EQ((TimeSpan{1s, 1100ms}.rate(2).value()), 10);
    EXPECT_DOUBLE_EQ((TimeSpan{0s, 1s}.rate(1001).value()), 1000);
    EXPECT_FALSE((TimeSpan{0s, 1s}.rate(1)));
    EXPECT_FALSE((TimeSpan{1s, 1s}.rate(5)));
    EXPECT_FALSE(TimeSpan().rate(5));
}

TEST(TimeSpan, OfTheLongestSpansDoesNotOverflow) {
    EXPECT_EQ((TimeSpan{-kLongestSpan, kLongestSpan}.duration()), kLongestSpan);
}

TEST(BitRate, IsThePacketRateTimesTheMeanSize) {
    EXPECT_DOUBLE_EQ(bit_rate(10, 2, 300).value(), 10 * 8 * 150);
    EXPECT_FALSE(bit_rate(std::nullopt, 2, 300));
    EXPECT_FALSE(bit_rate(10, 0, 300));
}

}  // namespace
}  // namespace groma
