#include "mpi/world/common_start.hpp"

#include <gtest/gtest.h>

#include <random>

#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

const MonoTime kNow{hours(1)};

/// A rank on another host: its clock, and the delays in both directions.
struct Peer {
    Nanos clock_ahead;
    Nanos there;
    Nanos back;
};

/// One ping and its pong in virtual time. Returns: how long they took.
Nanos exchange(ClockComparison& comparison, std::uint32_t number, MonoTime sent, const Peer& peer) {
    comparison.on_ping(number, sent);
    comparison.on_pong(number, sent + peer.there + peer.clock_ahead, sent + peer.there + peer.back);
    return peer.there + peer.back;
}

TEST(CommonStart, IsOneInstantWhateverTheClocksShow) {
    const std::vector<ReadySender> senders = {
        {Nanos(0), milliseconds(10)}, {hours(-5), milliseconds(10)}, {seconds(7), Nanos(1)}};
    const std::vector<MonoTime> starts = common_start(kNow, senders);
    ASSERT_EQ(starts.size(), 3U);
    for (std::size_t i = 0; i < senders.size(); ++i) {
        EXPECT_EQ(starts[i] - senders[i].clock_difference, starts[0]) << "sender " << i;
    }
}

TEST(CommonStart, LeavesTheSlowestSenderItsMarginAndTheMessageItsTime) {
    const std::vector<ReadySender> senders = {
        {Nanos(0), milliseconds(10)}, {Nanos(0), seconds(3)}, {Nanos(0), Nanos(0)}};
    EXPECT_EQ(common_start(kNow, senders).front(), kNow + seconds(3) + milliseconds(50));
    EXPECT_EQ(common_start(kNow, std::vector<ReadySender>{{Nanos(0), Nanos(0)}}).front(), kNow + milliseconds(50));
}

TEST(CommonStart, IsInTheFutureOfEveryClockAndAtMostAMinuteAway) {
    const std::vector<ReadySender> senders = {{hours(2), Nanos(-1)}, {-minutes(59), hours(1)}, {Nanos(1), Nanos(0)}};
    const std::vector<MonoTime> starts = common_start(kNow, senders);
    for (std::size_t i = 0; i < senders.size(); ++i) {
        const MonoTime now_there = kNow + senders[i].clock_difference;
        EXPECT_GT(starts[i], now_there) << "sender " << i;
        EXPECT_LE(starts[i], now_there + minutes(1) + milliseconds(50)) << "sender " << i;
    }
}

TEST(CommonStart, OfNoSenderIsNone) {
    EXPECT_TRUE(common_start(kNow, {}).empty());
}

TEST(ClockComparison, IsExactWhereBothWaysTakeTheSameTime) {
    for (const Nanos ahead : {Nanos(hours(3)), Nanos(-12'345), Nanos(0)}) {
        ClockComparison comparison;
        exchange(comparison, 0, kNow, {ahead, microseconds(80), microseconds(80)});
        EXPECT_EQ(comparison.difference(), ahead);
    }
}

TEST(ClockComparison, IsThatOfTheShortestRoundTrip) {
    ClockComparison comparison;
    exchange(comparison, 0, kNow, {seconds(9), milliseconds(30), microseconds(1)});
    exchange(comparison, 1, kNow + seconds(1), {seconds(9), microseconds(50), microseconds(50)});
    exchange(comparison, 2, kNow + seconds(2), {seconds(9), microseconds(1), milliseconds(30)});
    EXPECT_EQ(comparison.difference(), Nanos(seconds(9)));
}

TEST(ClockComparison, IsNoneWithoutAnAnswer) {
    ClockComparison comparison;
    EXPECT_EQ(comparison.difference(), std::nullopt);
    comparison.on_ping(0, kNow);
    EXPECT_TRUE(comparison.waits());
    EXPECT_EQ(comparison.difference(), std::nullopt);
}

TEST(ClockComparison, HearsOfAPingOnce) {
    ClockComparison comparison;
    exchange(comparison, 0, kNow, {seconds(9), microseconds(50), microseconds(50)});
    EXPECT_FALSE(comparison.waits());
    comparison.on_pong(0, kNow, kNow);
    EXPECT_EQ(comparison.difference(), Nanos(seconds(9)));
}

TEST(ClockComparison, ALateAnswerIsNotTakenForThatOfTheNextPing) {
    ClockComparison comparison;
    comparison.on_ping(0, kNow);
    comparison.on_ping(1, kNow + seconds(1));  // the rank was slow; its answer comes with the next ping on its way
    comparison.on_pong(0, kNow + seconds(9), kNow + seconds(1) + Nanos(10));
    EXPECT_TRUE(comparison.waits());
    EXPECT_EQ(comparison.difference(), std::nullopt);
    comparison.on_pong(1, kNow + seconds(10) + milliseconds(1), kNow + seconds(1) + milliseconds(2));
    EXPECT_EQ(comparison.difference(), Nanos(seconds(9)));
}

/// The complete procedure in virtual time: hosts whose clocks are hours apart and whose delays in both directions
/// differ from ping to ping. All start at one instant, within half of the shortest round trip of each, the limit of
/// ping-pong.
TEST(CommonStart, OfAJobIsOneInstantWithinHalfOfTheShortestRoundTrips) {
    std::mt19937_64 random(7);
    const auto between = [&](Nanos least, Nanos most) {
        return Nanos(std::uniform_int_distribution<Nanos::rep>(least.count(), most.count())(random));
    };
    for (int job = 0; job < 200; ++job) {
        ManualClock clock(kNow);  // of rank 0
        std::vector<ReadySender> senders;
        std::vector<Nanos> ahead;
        std::vector<Nanos> shortest;
        for (int rank = 0; rank < 6; ++rank) {
            ahead.push_back(between(hours(-1), hours(1)));
            ClockComparison comparison;
            Nanos least = Nanos::max();
            for (std::uint32_t number = 0; number < 30; ++number) {
                const Peer peer{ahead.back(), between(microseconds(20), milliseconds(5)),
                                between(microseconds(20), milliseconds(5))};
                const Nanos took = exchange(comparison, number, clock.now(), peer);
                least = std::min(least, took);
                clock.advance(took);
            }
            shortest.push_back(least);
            ASSERT_TRUE(comparison.difference());
            senders.push_back({*comparison.difference(), between(Nanos(0), milliseconds(300))});
        }
        const std::vector<MonoTime> starts = common_start(clock.now(), senders);
        for (std::size_t rank = 0; rank < senders.size(); ++rank) {
            const MonoTime on_rank_0 = starts[rank] - ahead[rank];
            const Nanos apart = on_rank_0 - (starts[rank] - senders[rank].clock_difference);
            EXPECT_LE(std::chrono::abs(apart), shortest[rank] / 2 + Nanos(1)) << "job " << job << ", rank " << rank;
            EXPECT_GT(on_rank_0, clock.now()) << "job " << job << ", rank " << rank;
        }
    }
}

}  // namespace
}  // namespace groma
