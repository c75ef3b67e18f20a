#include "receiver/delay_meter.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace groma {
namespace {

double ns(Nanos span) {
    return static_cast<double>(span.count());
}

void add(DelayMeter& meter, std::int64_t sent_ns, std::int64_t received_ns) {
    meter.add(wall_time_from_ns(sent_ns), wall_time_from_ns(received_ns));
}

/// Packets a microsecond apart with delays of 1, 2, ..., `count` times 10 ns, the receiver's clock ahead by `offset`.
DelayMeter rising(std::int64_t count, std::int64_t offset) {
    DelayMeter meter;
    for (std::int64_t i = 1; i <= count; ++i) {
        add(meter, 1'000 * i, 1'000 * i + 10 * i + offset);
    }
    return meter;
}

TEST(DelayMeter, TellsPercentilesAboveTheSmallestDelay) {
    const ArrivalDelays figures = rising(1'000, 0).figures();
    EXPECT_EQ(figures.packets, 1'000U);
    EXPECT_EQ(figures.min, Nanos{10});
    EXPECT_EQ(figures.max, Nanos{9'990});
    EXPECT_NEAR(ns(figures.p025), 240, 240 / 128.0);
    EXPECT_NEAR(ns(figures.p50), 4'990, 4'990 / 128.0);
    EXPECT_NEAR(ns(figures.p90), 8'990, 8'990 / 128.0);
    EXPECT_NEAR(ns(figures.p975), 9'740, 9'740 / 128.0);
    EXPECT_NEAR(ns(figures.p99), 9'890, 9'890 / 128.0);
    EXPECT_NEAR(ns(figures.p999), 9'980, 9'980 / 128.0);
    EXPECT_DOUBLE_EQ(figures.mean_ns, 4'995);
    EXPECT_NEAR(figures.deviation_ns, 10 * 288.8194, 0.01);  // sqrt(n (n + 1) / 12) steps of 10 ns
}

TEST(DelayMeter, LosesNoPrecisionToAnOffsetOfFiftyYears) {
    constexpr std::int64_t kOffset = 1'600'000'000'000'000'000;
    ArrivalDelays ahead = rising(100, kOffset).figures();
    EXPECT_EQ(ahead.min, Nanos{kOffset + 10});
    ahead.min = Nanos{10};
    EXPECT_EQ(ahead, rising(100, 0).figures());
}

TEST(DelayMeter, SmoothsItsJitterAsRfc3550Does) {
    DelayMeter meter;
    add(meter, 0, 1'600);
    add(meter, 10'000, 10'000);  // J = 100
    add(meter, 20'000, 21'600);  // J = 193.75
    EXPECT_DOUBLE_EQ(*meter.figures().jitter_ns, (100 + 193.75) / 2);
}

TEST(DelayMeter, KnowsNothingOfNoPacketAndNoSpreadOfOne) {
    DelayMeter meter;
    EXPECT_EQ(meter.figures(), ArrivalDelays{});
    add(meter, 100, 50);
    EXPECT_EQ(meter.figures(), (ArrivalDelays{.packets = 1, .min = Nanos{-50}}));
}

TEST(DelayMeter, TakesAnyTimesThatAPacketMayCarry) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    DelayMeter meter;
    for (int i = 0; i < 100; ++i) {
        add(meter, kLeast, kMost);
        add(meter, kMost, kLeast);
        add(meter, 0, 1);
    }
    EXPECT_EQ(meter.figures(), (ArrivalDelays{.packets = 100, .min = Nanos{1}, .jitter_ns = 0}))
        << "the others are of unknown length";
    const Message results = ReceiverResults{.flows = {{.flow = FlowId{1}, .state = "ok", .delays = meter.figures()}}};
    EXPECT_EQ(parse_message(serialize(results), "peer"), results);
}

TEST(DelaySum, IsThatOfAllPackets) {
    const DelayMeter low = rising(100, 0);
    const DelayMeter high = rising(300, 50'000);
    DelaySum sum;
    sum.add(low);
    sum.add(DelayMeter());
    sum.add(high);
    const ArrivalDelays figures = sum.figures();
    EXPECT_EQ(figures.packets, 400U);
    EXPECT_EQ(figures.min, Nanos{10});
    EXPECT_EQ(figures.max, Nanos{52'990});
    EXPECT_DOUBLE_EQ(figures.mean_ns, (100 * 495.0 + 300 * 51'495.0) / 400);
    EXPECT_NEAR(ns(figures.p50), 50'990, 50'990 / 128.0);
    EXPECT_DOUBLE_EQ(*figures.jitter_ns,
                     (99 * *low.figures().jitter_ns + 299 * *high.figures().jitter_ns) / (99 + 299));
}

TEST(DelaySum, OfASingleFlowIsThatFlows) {
    DelayMeter flow;
    for (int i = 0; i < 30; ++i) {
        flow.add(wall_time_from_ns(0), wall_time_from_ns(i < 29 ? 1322 + 7 * i : 46'071));
    }
    DelaySum sum;
    sum.add(flow);
    EXPECT_EQ(sum.figures().p50, flow.figures().p50);
    EXPECT_EQ(sum.figures().p99, flow.figures().p99);
    EXPECT_EQ(sum.figures().mean_ns, flow.figures().mean_ns);
    EXPECT_EQ(sum.figures().jitter_ns, flow.figures().jitter_ns);
}

}  // namespace
}  // namespace groma
