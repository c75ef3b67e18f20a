#include "sender/engine/reply_meter.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace groma {
namespace {

constexpr WallTime kNoTime = ReceivedRecord::kNoTime;

/// A reply whose packet left at 1000 ns * seq, with this round-trip time and residence.
Arrival reply(std::uint32_t seq, std::int64_t rtt_ns, std::int64_t residence_ns) {
    Arrival arrival;
    const std::int64_t sent_ns = 1000 * std::int64_t{seq};
    arrival.received_at = wall_time_from_ns(sent_ns + rtt_ns);
    arrival.header = {.seq = seq, .sent_at = wall_time_from_ns(sent_ns), .flow = FlowId{1}};
    arrival.size = 100;
    arrival.reflected_at = wall_time_from_ns(5'000'000);  // another clock
    arrival.replied_at = wall_time_from_ns(5'000'000 + residence_ns);
    return arrival;
}

Arrival small_reply(std::uint32_t seq, std::int64_t returned_ns) {
    Arrival arrival;
    arrival.received_at = wall_time_from_ns(returned_ns);
    arrival.header.seq = seq;
    arrival.size = 8;
    return arrival;
}

/// Packets 0 to `count` - 1 were sent, the first one at `first_ns`.
struct Sent : SentRange {
    explicit Sent(std::uint64_t count = 10, std::int64_t first_ns = 0) {
        reach(count - 1, wall_time_from_ns(first_ns));
    }
};

TEST(ReplyMeter, MeasuresTheWholeWayAndTheWayWithoutTheReceiversOwnTime) {
    const Sent sent;
    ReplyMeter meter(sent, nullptr);
    const RoundTripRecord record = meter.take(reply(3, 500, 120)).value();
    EXPECT_EQ(record.seq, 3U);
    EXPECT_EQ(record.sent_at, wall_time_from_ns(3000));
    EXPECT_EQ(record.returned_at, wall_time_from_ns(3500));
    EXPECT_EQ(record.replied_at - record.reflected_at, Nanos{120});
    EXPECT_EQ(meter.result().returned, 1U);
    EXPECT_EQ(meter.result().bytes, 100U);
    EXPECT_EQ(meter.result().rtt_ns.max(), 500);
    EXPECT_EQ(meter.result().rtt_less_residence_ns.max(), 380);
}

TEST(ReplyMeter, ASecondCopyIsCountedAndKeptAndNotMeasured) {
    const Sent sent;
    ReplyMeter meter(sent, nullptr);
    (void)meter.take(reply(0, 500, 0));
    const RoundTripRecord copy = meter.take(reply(0, 900, 0)).value();
    EXPECT_EQ(copy.seq, 0U);
    EXPECT_EQ(meter.result().returned, 2U);
    EXPECT_EQ(meter.result().duplicates, 1U);
    EXPECT_EQ(meter.result().rtt_ns.count(), 1U);
    EXPECT_EQ(meter.result().rtt_ns.max(), 500);
}

TEST(ReplyMeter, TellsReordering) {
    const Sent sent;
    ReplyMeter meter(sent, nullptr);
    (void)meter.take(reply(1, 500, 0));
    (void)meter.take(reply(0, 2500, 0));
    EXPECT_EQ(meter.result().reordered, 1U);
    EXPECT_EQ(meter.result().rtt_ns.count(), 2U);
}

TEST(ReplyMeter, OfASmallPacketTheSendersOwnTimeCounts) {
    SendTimes times(4);
    times.put(7, wall_time_from_ns(10'000));
    const Sent sent;
    ReplyMeter meter(sent, &times);
    EXPECT_EQ(meter.take(small_reply(7, 10'300))->sent_at, wall_time_from_ns(10'000));
    EXPECT_EQ(meter.result().rtt_ns.max(), 300);
    EXPECT_EQ(meter.result().rtt_less_residence_ns.count(), 0U);
    EXPECT_EQ(meter.take(small_reply(3, 10'400))->sent_at, kNoTime) << "it was sent long ago";
    EXPECT_EQ(meter.result().untimed, 1U);
}

TEST(ReplyMeter, RepliesWithoutANumberAreCounted) {
    const Sent sent;
    ReplyMeter meter(sent, nullptr);
    Arrival bare;
    bare.size = 2;
    EXPECT_EQ(meter.take(bare)->seq, ReceivedRecord::kNoSeq);
    (void)meter.take(bare);
    EXPECT_EQ(meter.result().returned, 2U);
    EXPECT_EQ(meter.result().duplicates, 0U);
    EXPECT_EQ(meter.result().untimed, 2U);
}

TEST(ReplyMeter, AReplyToAPacketThatWasNeverSentIsMalformed) {
    const Sent sent(10);
    ReplyMeter meter(sent, nullptr);
    EXPECT_FALSE(meter.take(reply(10, 500, 0)));
    EXPECT_FALSE(meter.take(reply(0xFFFFFFFF, 500, 0)));
    EXPECT_EQ(meter.result().malformed, 2U);
    EXPECT_EQ(meter.result().returned, 0U);
    EXPECT_EQ(meter.result().rtt_ns.count(), 0U);
    EXPECT_EQ(meter.take(reply(9, 500, 0))->seq, 9U);
}

TEST(ReplyMeter, NumbersGoOnBeyond32Bits) {
    const Sent sent((std::uint64_t{1} << 32U) + 5);
    ReplyMeter meter(sent, nullptr);
    EXPECT_EQ(meter.take(reply(4, 500, 0))->seq, (std::uint64_t{1} << 32U) + 4);
    EXPECT_EQ(meter.take(reply(0xFFFFFFFF, 500, 0))->seq, 0xFFFFFFFFU);
}

TEST(ReplyMeter, TimesAtWhichNoPacketLeftAreNotMeasured) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const Sent sent(10, 1000);
    ReplyMeter meter(sent, nullptr);
    Arrival wild = reply(0, 0, 0);
    wild.received_at = wall_time_from_ns(kMost);
    wild.header.sent_at = wall_time_from_ns(-kMost);
    EXPECT_EQ(meter.take(wild)->sent_at, kNoTime) << "nor in the log";
    (void)meter.take(reply(1, -1, 0));
    EXPECT_EQ(meter.result().untimed, 2U);
    EXPECT_EQ(meter.result().rtt_ns.count(), 0U);
    EXPECT_EQ(meter.result().rtt_less_residence_ns.count(), 0U);
    (void)meter.take(reply(2, 0, 0));
    EXPECT_EQ(meter.result().rtt_ns.count(), 1U);
}

TEST(ReplyMeter, AResidenceThatCannotBeIsNotTakenOff) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const Sent sent;
    ReplyMeter meter(sent, nullptr);
    Arrival wild = reply(0, 500, 0);
    wild.reflected_at = wall_time_from_ns(kMost);
    wild.replied_at = wall_time_from_ns(-kMost);
    EXPECT_EQ(meter.take(wild)->replied_at, kNoTime) << "nor in the log";
    (void)meter.take(reply(1, 500, 501));
    EXPECT_EQ(meter.result().odd_residence, 2U);
    EXPECT_EQ(meter.result().rtt_ns.count(), 2U);
    EXPECT_EQ(meter.result().rtt_less_residence_ns.count(), 0U);
}

}  // namespace
}  // namespace groma
