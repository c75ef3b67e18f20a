#include "common/stats/fidelity/off_times.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "common/stats/fidelity/fidelity.hpp"

namespace groma {
namespace {

FlowSpec intermittent(std::uint64_t packets) {
    FlowSpec flow;
    flow.name = "flow";
    flow.target.host = "beta";
    flow.idt = Exponential{1e6};
    flow.on_off = OnOff{Exponential{20e6}, Exponential{50e6}};
    flow.stop.packets = packets;
    flow.seed = 7;
    return flow;
}

std::vector<Nanos> departures_of(const FlowSpec& flow) {
    std::vector<Nanos> all;
    Schedule schedule(flow);
    while (const auto departure = schedule.next()) {
        all.push_back(departure->offset);
    }
    return all;
}

TEST(OffTimes, LessThemTheGapsAreThoseOfTheSameFlowWithoutOffPeriods) {
    const FlowSpec flow = intermittent(5000);
    FlowSpec always_on = flow;
    always_on.on_off.reset();
    const std::vector<Nanos> due = departures_of(flow);
    const std::vector<Nanos> wanted = departures_of(always_on);
    OffTimes off(flow);
    EXPECT_FALSE(off.before(0)) << "nothing is before the first";
    std::size_t gaps_with_off_time = 0;
    for (std::size_t i = 1; i < due.size(); ++i) {
        const auto between = off.before(i);
        ASSERT_TRUE(between);
        gaps_with_off_time += *between > Nanos{0} ? 1 : 0;
        EXPECT_LE(std::chrono::abs(due[i] - due[i - 1] - *between - (wanted[i] - wanted[i - 1])), Nanos{2}) << i;
    }
    EXPECT_GT(gaps_with_off_time, 100U);
    EXPECT_FALSE(off.before(5000)) << "the flow has ended";
}

TEST(OffTimes, OfSomePacketsAreTheSameAndOfEarlierOnesUnknown) {
    OffTimes each(intermittent(300));
    std::vector<std::optional<Nanos>> all;
    for (std::uint64_t seq = 0; seq < 300; ++seq) {
        all.push_back(each.before(seq));
    }
    OffTimes some(intermittent(300));
    for (const std::uint64_t seq : {5U, 6U, 100U, 299U}) {
        EXPECT_EQ(some.before(seq), all[seq]) << seq;
    }
    EXPECT_FALSE(some.before(299));
    EXPECT_FALSE(some.before(4));
}

TEST(OffTimes, OfVeryManyPeriodsAreUnknown) {
    FlowSpec flow = intermittent(1'000'000);
    flow.on_off = OnOff{Constant{2e3}, Constant{1e3}};  // 500 a gap
    OffTimes off(flow);
    EXPECT_TRUE(off.before(1));
    EXPECT_FALSE(off.before(1000));
    EXPECT_FALSE(off.before(1001));
}

Fidelity sent_on_time(const FlowSpec& flow, AskedGaps asked) {
    FidelityMeter meter(std::move(asked));
    std::uint64_t seq = 0;
    for (const Nanos due : departures_of(flow)) {
        meter.add(
            SentRecord{.seq = seq++, .sent_at = wall_time_from_ns(0) + due, .lateness = {}, .size = 9, .batch = 1});
    }
    return meter.result();
}

TEST(OffTimes, GapsOverOffPeriodsFitTheDistributionOfTheGaps) {
    const FlowSpec flow = intermittent(40'000);
    const Fidelity sent = sent_on_time(flow, GapModels().of(flow));
    ASSERT_TRUE(sent.fit);
    EXPECT_EQ(sent.fit->gaps, 39'999U);
    EXPECT_LT(std::abs(sent.fit->lambda2), 4 * sent.fit->lambda2_error);
    EXPECT_LT(sent.fit->ks, 0.01);
    FlowSpec another = flow;
    another.seed = 8;  // whose OFF periods are elsewhere
    EXPECT_GT(sent_on_time(flow, GapModels().of(another)).fit->ks, 0.02);
}

}  // namespace
}  // namespace groma
