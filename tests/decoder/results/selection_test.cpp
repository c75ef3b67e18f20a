#include "decoder/results/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "tests/decoder/json_report.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(SizeRange, IsWrittenWithItsEnds) {
    EXPECT_EQ(parse_size_range("64..512"), (SizeRange{64, 512}));
    EXPECT_EQ(parse_size_range("64.."), (SizeRange{64, 0xffffffff}));
    EXPECT_EQ(parse_size_range("512"), (SizeRange{512, 512}));
    for (const char* wrong : {"", "..", "..5", "a..5", "5..a", "6..5", "5...6", "-1", "5 ", "99999999999"}) {
        EXPECT_THROW(std::ignore = parse_size_range(wrong), UsageError) << wrong;
    }
}

/// Six packets, one a second, every other one of 100 bytes and the rest of 900; 1 and 4 are lost, 3 comes 2 s late.
SamplePair six_seconds() {
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;
    for (std::uint64_t seq = 0; seq < 6; ++seq) {
        const std::int64_t at = static_cast<std::int64_t>(seq) * 1'000'000'000;
        const std::uint32_t size = seq % 2 == 0 ? 100 : 900;
        sent.push_back(sent_packet(seq, at, size));
        if (seq != 1 and seq != 4) {
            received.push_back(received_packet(seq, at, seq == 3 ? 2'500'000'000 : 1'000'000, size));
        }
    }
    std::ranges::stable_sort(received, {}, &ReceivedRecord::received_at);
    return pair_of(sent, received);
}

TEST(Selection, BelongsToAPacketByItsDepartureHoweverLateItArrives) {
    const Results results = six_seconds().analyzed({.cut = {.from = 2 * kSecond, .until = 4 * kSecond}});
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.sent->packets, 2U);
    EXPECT_EQ(flow.received->packets, 2U);
    EXPECT_EQ(flow.received->delay_ns.max, 2'500'000'000);
    EXPECT_EQ(flow.loss.packets, 0U);
    EXPECT_EQ(flow.loss_pattern.counts->packets, 2U);
    EXPECT_EQ(flow.received->reordered, 0U) << "the one that overtook it was not looked at";
    EXPECT_DOUBLE_EQ(flow.series.rows().front().t_s, 2) << "what was before is no empty interval";
    EXPECT_TRUE(flow.sent->counters.empty());
    EXPECT_FALSE(six_seconds()
                     .analyzed({.required = parse_requirements("missed=0"), .cut = {.from = 2 * kSecond}})
                     .runs.front()
                     .requirements.front()
                     .met)
        << "how many departures of the cut were missed is not known";
    EXPECT_FALSE(results.damaged);
}

TEST(Selection, CountsLossesAtBothOfItsEdges) {
    const Results results = six_seconds().analyzed({.cut = {.from = kSecond, .until = 5 * kSecond}});
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.loss.packets, 2U);
    EXPECT_EQ(flow.loss_pattern.counts->packets, 4U);
    EXPECT_EQ(flow.loss_pattern.counts->good_to_bad, 1U);
    EXPECT_EQ(flow.loss_pattern.counts->bad_to_good, 1U);
}

TEST(Selection, OfSizesLeavesLossKnownAndGapsAndPatternsUnknown) {
    const Results results = six_seconds().analyzed({.cut = {.sizes = SizeRange{64, 512}}});
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.sent->packets, 3U);
    EXPECT_EQ(flow.received->packets, 2U);
    EXPECT_EQ(flow.loss.packets, 1U);
    EXPECT_FALSE(flow.loss_pattern.counts);
    EXPECT_THAT(flow.loss_pattern.unknown_because, HasSubstr("selected by size"));
    EXPECT_EQ(flow.sent->gaps_ns.count, 0U);
    EXPECT_EQ(flow.sent->fidelity.gap_error_ns.count(), 0U);
    EXPECT_EQ(flow.received->gaps_ns.count, 0U);
    EXPECT_EQ(flow.received->ipdv_ns.count, 0U);
    EXPECT_EQ(flow.received->jitter_count, 0U);
    EXPECT_EQ(flow.received->delay_ns.count, 2U);
    EXPECT_THAT(flow.notes, Contains(HasSubstr("selected by size")));
}

TEST(Selection, WithoutTheSendersLogIsByArrivalAndLeavesLossUnknown) {
    const SamplePair pair = six_seconds();
    const Results results =
        analyze({pair.receiver.source("recv.glog")}, {.cut = {.from = 2 * kSecond, .until = 4 * kSecond}});
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.received->packets, 1U);
    EXPECT_FALSE(flow.loss.packets);
    EXPECT_FALSE(flow.loss.at_least) << "a packet that came late must not make those before it lost";
    EXPECT_FALSE(flow.loss_pattern.counts);
    EXPECT_THAT(flow.notes, Contains(HasSubstr("those that arrived within that time")));
}

TEST(Selection, WithoutTheReceiversLogHasTheSendersSide) {
    const SamplePair pair = six_seconds();
    const Results results = analyze({pair.sender.source("send.glog")}, {.cut = {.skip_end = 2 * kSecond}});
    EXPECT_EQ(only_flow(results).sent->packets, 3U);
    EXPECT_FALSE(only_flow(results).loss.packets);
}

TEST(Selection, WhereRecordsAreMissingLeavesLossUnknown) {
    for (const bool sender : {true, false}) {
        SamplePair pair = six_seconds();
        ++(sender ? pair.sender : pair.receiver).totals->flows.front().packets;
        const Results results = pair.analyzed({.cut = {.from = kSecond}});
        EXPECT_FALSE(only_flow(results).loss.packets);
        EXPECT_FALSE(only_flow(results).loss.at_least);
        EXPECT_FALSE(only_flow(results).loss_pattern.counts);
        EXPECT_TRUE(results.damaged);
    }
}

TEST(Selection, OfNothingHasNoFigures) {
    const Results results = six_seconds().analyzed({.cut = {.from = 100 * kSecond}});
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.sent->packets, 0U);
    EXPECT_EQ(flow.received->packets, 0U);
    EXPECT_EQ(flow.loss.packets, 0U);
    EXPECT_FALSE(flow.received->throughput_bps());
    EXPECT_TRUE(flow.series.rows().empty());
}

TEST(Selection, OfRoundTripsAndConnectionsIsByTimeToo) {
    SamplePair pair = six_seconds();
    pair.sender.metadata.flows.front().spec.meter = Meter::round_trip;
    std::vector<RoundTripRecord> returned;
    std::vector<ConnectionSample> samples;
    for (std::int64_t second = 0; second < 6; ++second) {
        const WallTime at = wall_time_from_ns(kStartNs + second * 1'000'000'000);
        returned.push_back({.seq = static_cast<std::uint64_t>(second), .sent_at = at, .returned_at = at + Nanos{7}});
        samples.push_back({.at = at, .rtt = Nanos{second}, .retransmitted = 10 * static_cast<std::uint64_t>(second)});
    }
    std::vector<TransmitRecord> stamps;
    for (std::uint64_t seq = 0; seq < 6; ++seq) {
        stamps.push_back({seq, wall_time_from_ns(kStartNs + static_cast<std::int64_t>(seq) * 1'000'000'000 + 40)});
    }
    pair.sender.metadata.flows.front().spec.options.sent_stamps = StampSource::kernel;
    pair.sender.transmitted = {{FlowId{1}, stamps}};
    pair.sender.returned = {{FlowId{1}, returned}};
    pair.sender.connection = {{FlowId{1}, samples}};
    const Results results = pair.analyzed({.cut = {.from = 2 * kSecond, .until = 5 * kSecond}});
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.round_trip->replies, 3U);
    EXPECT_EQ(flow.round_trip->lost, 0U);
    EXPECT_EQ(flow.transmit->packets, 3U);
    EXPECT_EQ(flow.transmit->unmatched, 0U);
    EXPECT_EQ(flow.transmit->stack_ns.max, 40);
    EXPECT_EQ(flow.connections.front().samples.size(), 3U);
    EXPECT_EQ(flow.connections.front().retransmitted, 30U) << "40 less the 10 of before";
}

TEST(Selection, IsInTheReports) {
    const auto json = nlohmann::json::parse(
        json_report(six_seconds().analyzed({.cut = {.from = 2 * kSecond, .sizes = SizeRange{64, 512}}})));
    EXPECT_EQ(json["runs"][0]["from_s"], 2.0);
    EXPECT_TRUE(json["runs"][0]["until_s"].is_null());
    EXPECT_EQ(json["runs"][0]["size_most"], 512);
    EXPECT_EQ(describe({.from = 2 * kSecond, .until = {}, .sizes = SizeRange{64, 512}}),
              "packets that left from 2 s of the run, of 64 to 512 bytes");
}

}  // namespace
}  // namespace groma
