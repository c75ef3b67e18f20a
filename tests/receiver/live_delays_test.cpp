#include "receiver/live_delays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace groma {
namespace {

using namespace std::chrono_literals;

std::uint64_t packets_of(const std::vector<CountedDelay>& counted) {
    std::uint64_t sum = 0;
    for (const CountedDelay& one : counted) {
        sum += one.packets;
    }
    return sum;
}

TEST(LiveDelays, TellWhatWasCountedSinceTheLastTime) {
    LiveDelays delays;
    EXPECT_TRUE(delays.since_last().empty());
    delays.add(5ms);
    delays.add(5ms);
    delays.add(9ms);
    EXPECT_EQ(packets_of(delays.since_last()), 3U);
    EXPECT_TRUE(delays.since_last().empty());
    delays.add(9ms);
    EXPECT_EQ(packets_of(delays.since_last()), 1U);
}

TEST(LiveDelays, AreAsExactAsTheyAreNearTheFirst) {
    const Nanos first = -3h;  // of clocks that do not agree
    LiveDelays delays;
    delays.add(first);
    (void)delays.since_last();
    for (std::int64_t from_first = 1; from_first < 60'000'000'000; from_first = from_first * 3 + 1) {
        for (const std::int64_t distance : {from_first, -from_first}) {
            delays.add(first + Nanos{distance});
            const std::vector<CountedDelay> counted = delays.since_last();
            ASSERT_EQ(counted.size(), 1U);
            EXPECT_NEAR(static_cast<double>((counted[0].delay - first).count()), static_cast<double>(distance),
                        std::max(8.0, static_cast<double>(from_first) / 32));
        }
    }
}

TEST(LiveDelays, ThatAreFarAwayCountAsAMinute) {
    LiveDelays delays;
    delays.add(1ms);
    delays.add(24h);
    delays.add(-24h);
    const RowDelays told = delays_of(delays.since_last()).value();
    EXPECT_EQ(told.packets, 3U);
    EXPECT_LT(told.max, 80s);
    EXPECT_GT(told.max, 60s);
    EXPECT_GT(told.min, -80s);
    EXPECT_LT(told.min, -60s);
}

TEST(LiveDelays, HavePercentilesInAnyOrder) {
    const RowDelays delays =
        delays_of({{.delay = 30ms, .packets = 1}, {.delay = 1ms, .packets = 90}, {.delay = 20ms, .packets = 9}, {}})
            .value();
    EXPECT_EQ(delays, (RowDelays{.packets = 100, .min = 1ms, .p50 = 1ms, .p90 = 1ms, .p99 = 20ms, .max = 30ms}));
    EXPECT_EQ(delays_of({{.delay = 7ms, .packets = 1}})->p50, 7ms);
    EXPECT_EQ(delays_of({}), std::nullopt);
    EXPECT_EQ(delays_of({{.delay = 7ms, .packets = 0}}), std::nullopt);
}

}  // namespace
}  // namespace groma
