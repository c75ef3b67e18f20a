#include "decoder/analysis/connection_analyzer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

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
    const ConnectionFigures figures = analyzer.figures(nullptr, nullptr);
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
    const ConnectionFigures figures = analyzer.figures(nullptr, nullptr);
    EXPECT_EQ(figures.samples.size(), 2U);
    EXPECT_EQ(figures.retransmitted, 5U);
    EXPECT_EQ(figures.retransmitted_bytes, 500U);
}

/// A sender of 1000 bytes, 250 of them twice, over a path whose round trip is at least 80 ns and 200 ns on average
/// while data is in flight.
ConnectionFigures of_1000_bytes(LogRole side, const std::vector<std::pair<std::string, std::uint64_t>>& counters,
                                const ReceivedFigures* received = nullptr, std::optional<double> bottleneck_bps = {}) {
    ConnectionAnalyzer analyzer = of_side(side);
    for (const std::int64_t second : {0, 1, 2}) {
        ConnectionSample sample = sampled_at(second);
        const bool idle = second == 2;
        sample.rtt = Nanos{idle ? 5000 : 100 + 200 * second};
        sample.min_rtt = Nanos{second == 0 ? 90 : 80};
        sample.in_flight = idle ? 0 : 500;
        sample.retransmitted_bytes = 250;
        sample.delivery_rate_bps = idle ? 43'000'000'000 : 8000;
        sample.application_limited = idle ? 1 : 0;
        sample.acknowledged_bytes = 1 + 500 * static_cast<std::uint64_t>(second);
        analyzer.add(sample);
    }
    SentFigures sent;
    sent.bytes = 1000;
    sent.counters = counters;
    return analyzer.figures(&sent, received, bottleneck_bps);
}

TEST(ConnectionAnalyzer, HasTheFiguresOfRfc6349OfASenderThatFilledItsSocket) {
    const ConnectionFigures figures = of_1000_bytes(LogRole::sender, {{"blocked", 1}});
    EXPECT_EQ(figures.delivery_rate_max_bps, 8000U);
    EXPECT_EQ(figures.min_rtt, Nanos{80});
    EXPECT_EQ(figures.loaded_rtt_mean_ns, 200);
    EXPECT_DOUBLE_EQ(figures.efficiency.value(), 0.8);
    EXPECT_DOUBLE_EQ(figures.buffer_delay.value(), 1.5);
    EXPECT_EQ(figures.transfer_time_ratio, std::nullopt);
    EXPECT_THAT(figures.no_time_ratio_because, HasSubstr("fewer than 10 samples in a row"));
    EXPECT_EQ(of_1000_bytes(LogRole::receiver, {{"blocked", 1}}).efficiency, std::nullopt);
}

/// Samples of a path that is busy for `rates` intervals of a second: bits per second that the kernel estimates. All
/// that is acknowledged comes at 8 kbit/s.
std::vector<ConnectionSample> busy(const std::vector<std::uint64_t>& rates) {
    std::vector<ConnectionSample> samples;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        ConnectionSample sample = sampled_at(static_cast<std::int64_t>(i));
        sample.delivery_rate_bps = rates[i];
        sample.in_flight = 500;
        sample.application_limited = 0;
        sample.acknowledged_bytes = 1000 * i;
        samples.push_back(sample);
    }
    return samples;
}

ConnectionFigures of_samples(const std::vector<ConnectionSample>& samples, const ReceivedFigures* received = nullptr,
                             std::optional<double> bottleneck_bps = {}) {
    ConnectionAnalyzer analyzer = of_side(LogRole::sender);
    for (const ConnectionSample& sample : samples) {
        analyzer.add(sample);
    }
    SentFigures sent;
    sent.bytes = 1000;
    sent.counters = {{"blocked", 1}};
    return analyzer.figures(&sent, received, bottleneck_bps);
}

/// 5 packets of 200 bytes within `duration`: of a second, 6.4 kbit/s.
ReceivedFigures arrived_within(Nanos duration) {
    ReceivedFigures received;
    received.packets = 5;
    received.bytes = 1000;
    received.arrivals = {Nanos{0}, duration};
    return received;
}

TEST(ConnectionAnalyzer, ATransferEndsWithTheLastPacketThatArrivesAndTakesNoLessThanIdeally) {
    const std::vector<ConnectionSample> samples = busy(std::vector<std::uint64_t>(10, 8000));
    const ReceivedFigures slow = arrived_within(kSecond);
    EXPECT_DOUBLE_EQ(of_samples(samples, &slow).transfer_time_ratio.value(), 1.25);
    EXPECT_DOUBLE_EQ(of_samples(samples, &slow, 9600).transfer_time_ratio.value(), 1.5);
    const ReceivedFigures fast = arrived_within(kSecond / 2);
    EXPECT_EQ(of_samples(samples, &fast).transfer_time_ratio, 1);
}

TEST(ConnectionAnalyzer, ATransferIsNotFasterThanTheBottleneckThatWasGiven) {
    const ReceivedFigures received = arrived_within(kSecond);
    const ConnectionFigures figures = of_samples(busy({8000}), &received, 6000);
    EXPECT_EQ(figures.transfer_time_ratio, std::nullopt);
    EXPECT_EQ(figures.no_time_ratio_because,
              "the given bottleneck of 0.006 Mbit/s is below the 0.0064 Mbit/s that arrived");
    EXPECT_THAT(of_samples(busy({8000, 8000}), nullptr, 6000).no_time_ratio_because, HasSubstr("was acknowledged"));
    EXPECT_EQ(of_samples(busy({8000, 8000}), nullptr, 8000).transfer_time_ratio, 1);
}

TEST(ConnectionAnalyzer, WhatIsIdleBeforeAndAfterATransferIsNotPartOfIt) {
    ConnectionSample connected = sampled_at(-4);
    connected.acknowledged_bytes = 0;
    std::vector<ConnectionSample> samples = busy({8000, 8000, 8000, 8000});
    samples.insert(samples.begin(), connected);
    ConnectionSample done = sampled_at(20);
    done.acknowledged_bytes = 3000;
    samples.push_back(done);
    EXPECT_DOUBLE_EQ(of_samples(samples, nullptr, 8000).transfer_time_ratio.value(), 1);
}

TEST(ConnectionAnalyzer, WithoutAcknowledgementsAndArrivalsTheTimeOfATransferIsUnknown) {
    ConnectionAnalyzer analyzer = of_side(LogRole::sender);
    ConnectionSample sample = sampled_at(1);
    sample.delivery_rate_bps = 8000;
    sample.rtt = Nanos{100};
    analyzer.add(sample);
    SentFigures sent;
    sent.bytes = 1000;
    const ConnectionFigures figures = analyzer.figures(&sent, nullptr, 8000);
    EXPECT_EQ(figures.transfer_time_ratio, std::nullopt);
    EXPECT_EQ(figures.no_time_ratio_because, "");
    EXPECT_DOUBLE_EQ(figures.buffer_delay.value(),
                     0);  // of an older log: no min_rtt, nothing known of what is in flight
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
    const ConnectionFigures figures = analyzer.figures(nullptr, nullptr);
    EXPECT_EQ(figures.samples.size(), ConnectionAnalyzer::kMostSamples);
    EXPECT_EQ(figures.left_out, 2U);
    EXPECT_EQ(figures.retransmitted, 9U);
}

}  // namespace
}  // namespace groma
