// Transmit stamps, states of connections, headers and clocks in the decoder, from complete logs to reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "decoder/files/csv_report.hpp"
#include "decoder/text/text_report.hpp"
#include "tests/decoder/json_report.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

const FlowResult& flow_of(const Results& results) {
    return results.runs.at(0).flows.at(0);
}

SamplePair pair_with_stamps() {
    SamplePair pair = small_pair();
    pair.sender.metadata.flows.front().spec.options.sent_stamps = StampSource::kernel;
    const auto stamp = [](std::uint64_t seq, std::int64_t offset_ns) {
        return TransmitRecord{seq, wall_time_from_ns(kStartNs + offset_ns)};
    };
    // Out of order, as error queues may be, and one of an unknown packet.
    pair.sender.transmitted = {{FlowId{1}, {stamp(0, 3000), stamp(2, 20'009'000), stamp(1, 10'004'000), stamp(9, 0)}}};
    return pair;
}

TEST(TransmitStamps, SayHowLongPacketsWereInTheStack) {
    const Results results = pair_with_stamps().analyzed();
    ASSERT_TRUE(flow_of(results).transmit);
    const TransmitFigures& it = *flow_of(results).transmit;
    EXPECT_EQ(it.stamps, "kernel");
    EXPECT_EQ(it.packets, 4U);
    EXPECT_EQ(it.unmatched, 1U);
    EXPECT_EQ(it.stack_ns.count, 3U);
    EXPECT_EQ(it.stack_ns.min, 3000);
    EXPECT_EQ(it.stack_ns.max, 9000);
}

TEST(TransmitStamps, OfHardwareHaveANoteUnlessTheKernelMadeThem) {
    SamplePair pair = pair_with_stamps();
    pair.sender.metadata.flows.front().spec.options.sent_stamps = StampSource::hardware;
    const auto note = testing::Contains(HasSubstr("nothing relates the interface's clock"));
    Results results = pair.analyzed();
    EXPECT_FALSE(flow_of(results).transmit->stack_ns.known);
    EXPECT_THAT(flow_of(results).notes, note);
    pair.sender.metadata.timestamps = "user, departures also kernel software";
    results = pair.analyzed();
    EXPECT_EQ(flow_of(results).transmit->stamps, "kernel");
    EXPECT_EQ(flow_of(results).transmit->stack_ns.count, 3U);
    EXPECT_THAT(flow_of(results).notes, testing::Not(note));
}

TEST(TransmitStamps, GiveAOneWayDelayOfFirstCopiesOnly) {
    const Results results = pair_with_stamps().analyzed();
    const Spread& delay = flow_of(results).transmit->delay_ns;
    EXPECT_EQ(delay.count, 2U);
    EXPECT_EQ(delay.min, 1'000'000 - 3000);
    EXPECT_EQ(delay.max, 3'000'000 - 9000);
    EXPECT_THAT(text_report(results), HasSubstr("one way, from the kernel's stamp on"));
}

SamplePair pair_with_connection() {
    SamplePair pair = small_pair();
    std::vector<ConnectionSample> samples;
    for (int i = 0; i < 4; ++i) {
        samples.push_back({.at = wall_time_from_ns(kStartNs + i * 5'000'000),
                           .rtt = Nanos{100'000 * (i + 1)},
                           .cwnd = 14'480U * (i == 3 ? 1U : static_cast<unsigned>(i + 1)),
                           .retransmitted = static_cast<unsigned>(i),
                           .retransmitted_bytes = 50U * static_cast<unsigned>(i),
                           .delivery_rate_bps = 1'000'000U + static_cast<unsigned>(i)});
    }
    pair.sender.connection = {{FlowId{1}, samples}};
    pair.receiver.connection = {{FlowId{1}, {samples.front()}}};
    return pair;
}

TEST(Connection, HasItsSeriesAndItsFiguresOnBothSides) {
    const Results results = pair_with_connection().analyzed();
    ASSERT_EQ(flow_of(results).connections.size(), 2U);
    const ConnectionFigures& it = flow_of(results).connections[0];
    EXPECT_EQ(it.side, LogRole::sender);
    EXPECT_EQ(it.samples.size(), 4U);
    EXPECT_EQ(it.samples[3].t_s, 0.015);
    EXPECT_EQ(it.rtt_ns.min, 100'000);
    EXPECT_DOUBLE_EQ(it.rtt_ns.mean, 250'000);
    EXPECT_EQ(it.rtt_ns.max, 400'000);
    EXPECT_EQ(it.cwnd.min, 14'480);
    EXPECT_EQ(it.cwnd.max, 43'440);
    EXPECT_EQ(it.retransmitted, 3U);
    EXPECT_EQ(it.delivery_rate_max_bps, 1'000'003U);
    EXPECT_EQ(flow_of(results).connections[1].side, LogRole::receiver);
}

TEST(Connection, HasTheFiguresOfRfc6349) {
    const SamplePair pair = pair_with_connection();
    const Results results = pair.analyzed();
    const ConnectionFigures& it = flow_of(results).connections[0];
    EXPECT_DOUBLE_EQ(*it.efficiency, 1500.0 / 1650.0);  // 1500 bytes of payload, 150 of them sent again
    EXPECT_DOUBLE_EQ(*it.buffer_delay, 1.5);            // 250 us on the average, 100 us at best
    EXPECT_FALSE(it.transfer_time_ratio);
    EXPECT_THAT(flow_of(results).notes, testing::Contains(HasSubstr("no transfer time ratio, because fewer than 10")));
    const Results given = pair.analyzed({.bottleneck_bps = 1e6});
    EXPECT_DOUBLE_EQ(*flow_of(given).connections[0].transfer_time_ratio,
                     1e6 / (2 / 0.023 * 8 * 500));  // three packets within 23 ms
    const Results low = pair.analyzed({.bottleneck_bps = 1e5});
    EXPECT_FALSE(flow_of(low).connections[0].transfer_time_ratio);
    EXPECT_THAT(text_report(low), HasSubstr("the given bottleneck of 0.1 Mbit/s is below the 0.347826"));
    EXPECT_FALSE(flow_of(results).connections[1].efficiency);
    EXPECT_THAT(text_report(results), HasSubstr("90.909 %"));
    EXPECT_THAT(text_report(results), HasSubstr("mean in flight"));
    EXPECT_DOUBLE_EQ(*it.loaded_rtt_mean_ns, 250'000);
}

TEST(Connection, OfAFlowThatSentLessThanThePathTakesHasNoBufferDelayAndNoTimeRatio) {
    SamplePair pair = pair_with_connection();
    pair.sender.totals->flows[0].counters = {{"blocked", 0}};
    const Results paced = pair.analyzed();
    const ConnectionFigures& it = flow_of(paced).connections[0];
    EXPECT_TRUE(it.efficiency);
    EXPECT_FALSE(it.buffer_delay or it.transfer_time_ratio);
    EXPECT_THAT(flow_of(paced).notes, testing::Contains(HasSubstr("its socket was never full")));
    pair.sender.totals->flows[0].counters = {{"blocked", 1}};
    const Results full = pair.analyzed();
    EXPECT_TRUE(flow_of(full).connections[0].buffer_delay);
    EXPECT_THAT(flow_of(full).notes, testing::Not(testing::Contains(HasSubstr("never full"))));
}

TEST(Connection, WhatAProtocolDoesNotKnowIsUnknown) {
    SamplePair pair = small_pair();
    pair.sender.connection = {{FlowId{1}, {ConnectionSample{.at = wall_time_from_ns(kStartNs)}}}};
    const Results results = pair.analyzed();
    const ConnectionFigures& it = flow_of(results).connections.at(0);
    EXPECT_EQ(it.rtt_ns.count, 0U);
    EXPECT_FALSE(it.retransmitted or it.efficiency or it.buffer_delay or it.transfer_time_ratio);
    EXPECT_THAT(json_report(results), HasSubstr("\"tcp_efficiency\": null"));
}

TEST(Connection, FiguresAgreeWithASlowReference) {
    std::mt19937_64 random(11);
    SamplePair pair = small_pair();
    std::vector<ConnectionSample> samples(300);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    double sum = 0;
    int timed = 0;
    std::uint64_t widest = 0;
    for (ConnectionSample& sample : samples) {
        sample.at = wall_time_from_ns(kStartNs + static_cast<std::int64_t>(random() % 1'000'000'000));
        if (random() % 4 != 0) {
            sample.rtt = Nanos{static_cast<std::int64_t>(1 + random() % 100'000'000)};
            least = std::min(least, std::int64_t{sample.rtt->count()});
            sum += static_cast<double>(sample.rtt->count());
            ++timed;
        }
        if (random() % 4 != 0) {
            sample.cwnd = random() % 1'000'000;
            widest = std::max(widest, *sample.cwnd);
        }
    }
    pair.sender.connection = {{FlowId{1}, samples}};
    const Results results = pair.analyzed();
    const ConnectionFigures& it = flow_of(results).connections.at(0);
    EXPECT_EQ(it.rtt_ns.min, least);
    EXPECT_NEAR(it.rtt_ns.mean, sum / timed, 1);
    EXPECT_EQ(it.cwnd.max, static_cast<std::int64_t>(widest));
    EXPECT_NEAR(*it.buffer_delay, (sum / timed - static_cast<double>(least)) / static_cast<double>(least), 1e-6);
}

TEST(Connection, SamplesBeyondTheLimitAreCountedAndTheFiguresHaveThem) {
    ConnectionAnalyzer analyzer(LogRole::sender, wall_time_from_ns(kStartNs));
    for (std::size_t i = 0; i < ConnectionAnalyzer::kMostSamples + 5; ++i) {
        analyzer.add({.at = wall_time_from_ns(kStartNs), .retransmitted = i});
    }
    const ConnectionFigures it = analyzer.figures(nullptr, nullptr);
    EXPECT_EQ(it.samples.size(), ConnectionAnalyzer::kMostSamples);
    EXPECT_EQ(it.left_out, 5U);
    EXPECT_EQ(it.retransmitted, ConnectionAnalyzer::kMostSamples + 4);
}

TEST(ArrivalHeader, IsCountedByValue) {
    SamplePair pair = small_pair();
    auto& records = pair.receiver.received.front().second;
    records[0].ttl = 62;
    records[0].ds_byte = 0xb8;
    records[1].ttl = 61;
    records[1].ds_byte = 0xb8;
    records[2].ttl = 62;
    const Results results = pair.analyzed();
    const ArrivalHeaderFigures& it = flow_of(results).arrival_header;
    EXPECT_THAT(it.ttl, ::testing::ElementsAre(std::pair(61, 1), std::pair(62, 2)));
    EXPECT_THAT(it.ds_byte, ::testing::ElementsAre(std::pair(0, 1), std::pair(0xb8, 2)));
    EXPECT_THAT(text_report(results), HasSubstr("61: 1, 62: 2"));
    EXPECT_THAT(text_report(results), HasSubstr("0x00: 1, 0xb8: 2"));
}

TEST(ArrivalHeader, ThatWasNotAskedForIsNotReported) {
    const Results results = small_pair().analyzed();
    EXPECT_FALSE(flow_of(results).arrival_header.known());
    EXPECT_THAT(text_report(results), ::testing::Not(HasSubstr("Headers as they arrived")));
}

TEST(ClockHealthReport, SaysWhatEachHostsKernelSays) {
    SamplePair pair = small_pair();
    pair.sender.metadata.clock = ClockHealth{.synchronised = true,
                                             .estimated_error = Nanos{23'000},
                                             .maximum_error = Nanos{1'500'000},
                                             .frequency_ppm = -12.5};
    pair.receiver.metadata.clock = ClockHealth{};
    const std::string text = text_report(pair.analyzed());
    EXPECT_THAT(text, HasSubstr("clock synchronised, estimated error 23 us, at most 1.5 ms, frequency -12.500 ppm"));
    EXPECT_THAT(text, HasSubstr("clock not synchronised"));
    EXPECT_THAT(json_report(pair.analyzed()), HasSubstr("\"clock_estimated_error_ns\": 23000"));
}

}  // namespace
}  // namespace groma
