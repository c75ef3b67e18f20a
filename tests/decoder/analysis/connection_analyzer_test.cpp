#include "decoder/analysis/connection_analyzer.hpp"

#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

ConnectionSample sampled_at(std::int64_t seconds) {
    return {.at = wall_time_from_ns(kStartNs) + seconds * kSecond};
}

ConnectionSample with_retransmissions(std::int64_t seconds, std::uint64_t segments) {
    ConnectionSample sample = sampled_at(seconds);
    sample.retransmitted = segments;
    sample.retransmitted_bytes = segments * 100;
    return sample;
}

ConnectionAnalyzer of_side(LogRole side) {
    return {side, wall_time_from_ns(kStartNs)};
}

TEST(ConnectionAnalyzer, HasTheLargestCountersAndBothEndsOfTheDeliveryRate) {
    ConnectionAnalyzer analyzer = of_side(LogRole::receiver);
    ConnectionSample first = with_retransmissions(1, 5);
    first.delivery_rate_bps = 8000;
    first.rtt = Nanos{100};
    ConnectionSample second = with_retransmissions(2, 3);
    second.delivery_rate_bps = 2000;
    second.cwnd = 10;
    for (const ConnectionSample& sample : {first, second, sampled_at(3)}) {
        analyzer.add(sample);
    }
    const ConnectionFigures figures = analyzer.figures(nullptr);
    EXPECT_EQ(figures.side, LogRole::receiver);
    EXPECT_EQ(figures.retransmitted, 5U);
    EXPECT_EQ(figures.delivery_rate_min_bps, 2000U);
    EXPECT_EQ(figures.delivery_rate_max_bps, 8000U);
    EXPECT_EQ(figures.pacing_rate_max_bps, std::nullopt);
    EXPECT_EQ(figures.rtt_ns.count, 1U);
    EXPECT_EQ(figures.cwnd.count, 1U);
    ASSERT_EQ(figures.samples.size(), 3U);
    EXPECT_EQ(figures.samples[1].t_s, 2);
    EXPECT_EQ(figures.samples[1].sample, second);
}

TEST(ConnectionAnalyzer, CountersOfASelectionAreLessWhatWasBeforeIt) {
    ConnectionAnalyzer analyzer = of_side(LogRole::sender);
    analyzer.only({.from = 2 * kSecond, .until = 4 * kSecond});
    analyzer.add(with_retransmissions(1, 7));
    analyzer.add(with_retransmissions(2, 9));
    analyzer.add(with_retransmissions(3, 12));
    analyzer.add(with_retransmissions(5, 100));
    const ConnectionFigures figures = analyzer.figures(nullptr);
    EXPECT_EQ(figures.samples.size(), 2U);
    EXPECT_EQ(figures.retransmitted, 5U);
    EXPECT_EQ(figures.retransmitted_bytes, 500U);
}

/// 1000 bytes in two seconds over a path of 8 kbit/s, 250 of them twice, with a mean RTT of twice the smallest.
ConnectionFigures of_1000_bytes(LogRole side, const std::vector<std::pair<std::string, std::uint64_t>>& counters) {
    ConnectionAnalyzer analyzer = of_side(side);
    for (const std::int64_t rtt : {100, 300}) {
        ConnectionSample sample = sampled_at(1);
        sample.rtt = Nanos{rtt};
        sample.retransmitted_bytes = 250;
        sample.delivery_rate_bps = 8000;
        analyzer.add(sample);
    }
    SentFigures sent;
    sent.bytes = 1000;
    sent.duration = 2 * kSecond;
    sent.counters = counters;
    return analyzer.figures(&sent);
}

TEST(ConnectionAnalyzer, HasTheFiguresOfRfc6349OfASenderThatFilledItsSocket) {
    const ConnectionFigures figures = of_1000_bytes(LogRole::sender, {{"blocked", 1}});
    EXPECT_DOUBLE_EQ(figures.efficiency.value(), 0.8);
    EXPECT_DOUBLE_EQ(figures.buffer_delay.value(), 1);
    EXPECT_DOUBLE_EQ(figures.transfer_time_ratio.value(), 2);
    EXPECT_EQ(of_1000_bytes(LogRole::receiver, {{"blocked", 1}}).efficiency, std::nullopt);
}

TEST(ConnectionAnalyzer, HasOnlyTheEfficiencyOfASenderThatNeverFilledItsSocket) {
    const ConnectionFigures figures = of_1000_bytes(LogRole::sender, {{"blocked", 0}});
    EXPECT_DOUBLE_EQ(figures.efficiency.value(), 0.8);
    EXPECT_EQ(figures.buffer_delay, std::nullopt);
    EXPECT_EQ(figures.transfer_time_ratio, std::nullopt);
}

TEST(ConnectionAnalyzer, CountsTheSamplesThatItDoesNotKeepAndTakesTheirFigures) {
    ConnectionAnalyzer analyzer = of_side(LogRole::sender);
    for (std::size_t i = 0; i <= ConnectionAnalyzer::kMostSamples; ++i) {
        analyzer.add(sampled_at(1));
    }
    analyzer.add(with_retransmissions(2, 9));
    const ConnectionFigures figures = analyzer.figures(nullptr);
    EXPECT_EQ(figures.samples.size(), ConnectionAnalyzer::kMostSamples);
    EXPECT_EQ(figures.left_out, 2U);
    EXPECT_EQ(figures.retransmitted, 9U);
}

}  // namespace
}  // namespace groma
