#include "common/figures/interval_row.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace groma {
namespace {

using namespace std::chrono_literals;

RowFigures second(Nanos from, std::uint64_t packets) {
    return {.from = from,
            .length = 1s,
            .received_packets = packets,
            .received_bytes = 100 * packets,
            .received_over = 1s,
            .missing_packets = packets / 10};
}

TEST(IntervalRow, RatesAreUnknownOverNoTime) {
    RowFigures row = second(0s, 50);
    EXPECT_EQ(row.packet_rate_pps(), 50.0);
    EXPECT_EQ(row.throughput_bps(), 40'000.0);
    EXPECT_EQ(row.sent_pps(), std::nullopt);
    row.received_over = 0s;
    EXPECT_EQ(row.packet_rate_pps(), std::nullopt);
}

TEST(IntervalRow, TwoAsOneHaveTheSumsOfTheirCounts) {
    const RowFigures both = joined(second(2s, 50), second(3s, 150));
    EXPECT_EQ(both.from, 2s);
    EXPECT_EQ(both.length, 2s);
    EXPECT_EQ(both.received_packets, 200U);
    EXPECT_EQ(both.packet_rate_pps(), 100.0);
    EXPECT_EQ(both.missing_packets, 15U) << "so far: the later one's";
    EXPECT_EQ(both.sent_packets, std::nullopt);
    EXPECT_EQ(both.delays, std::nullopt);
}

TEST(IntervalRow, WhatOneOfTwoDoesNotKnowIsTheOthers) {
    RowFigures unknown{.from = 1s, .length = 1s};
    EXPECT_EQ(joined(second(0s, 50), unknown).received_packets, 50U);
    EXPECT_EQ(joined(second(0s, 50), unknown).missing_packets, 5U);
    unknown.lost = 3;
    EXPECT_EQ(joined(second(0s, 50), unknown).lost, 3U);
}

TEST(IntervalRow, ALastOneAddsItsCountsAndNoTime) {
    RowFigures rest = second(1s, 20);
    rest.sent_packets = 3;
    RowFigures both = joined(second(0s, 50), without_time(rest));
    EXPECT_EQ(both.received_packets, 70U);
    EXPECT_EQ(both.packet_rate_pps(), 70.0);
    EXPECT_EQ(both.sent_pps(), 3.0);
    rest.received_over.reset();  // as a sender has it
    both = joined(second(0s, 50), without_time(rest));
    EXPECT_EQ(both.packet_rate_pps(), 70.0);
    rest.received_packets.reset();
    EXPECT_EQ(without_time(rest).counted_over(), std::nullopt);
}

TEST(IntervalRow, PacketsOverAnUnknownTimeCountOverTheLength) {
    RowFigures untimed = second(1s, 50);
    untimed.received_over.reset();
    EXPECT_EQ(joined(second(0s, 50), untimed).packet_rate_pps(), 50.0);
    EXPECT_EQ(joined(untimed, second(2s, 50)).received_over, 2s);
}

TEST(IntervalRow, TwoAsOneHaveTheLargerPercentiles) {
    RowFigures few = second(0s, 10);
    RowFigures many = second(1s, 30);
    few.delays = {.packets = 10, .min = 1ms, .p50 = 2ms, .p90 = 30ms, .p99 = 40ms, .max = 50ms};
    many.delays = {.packets = 30, .min = 2ms, .p50 = 6ms, .p90 = 7ms, .p99 = 8ms, .max = 60ms};
    const RowDelays wanted{.packets = 40, .min = 1ms, .p50 = 6ms, .p90 = 30ms, .p99 = 40ms, .max = 60ms};
    EXPECT_EQ(joined(few, many).delays, wanted);
    few.delays->packets = 0;
    EXPECT_EQ(joined(few, many).delays, many.delays);
    EXPECT_EQ(joined(many, few).delays, many.delays);
}

TEST(IntervalRow, FiguresOfPagesAreThoseOfRowsAndDelays) {
    std::set<std::string> names;
    for (const FigureHead& figure : live_figures()) {
        EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
    }
    for (const FigureHead& figure : row_figures()) {
        EXPECT_TRUE(names.contains(figure.name)) << figure.name;
        names.erase(figure.name);
    }
    EXPECT_THAT(names, testing::ElementsAre("delay_max_ns", "delay_min_ns", "delay_p50_ns", "delay_p90_ns",
                                            "delay_p99_ns", "received_over_s"));
    RowFigures row = second(0s, 1);
    EXPECT_EQ(live_figures().find("delay_p50_ns")->of(row), FigureValue());
    row.delays = {.packets = 1, .min = 1ns, .p50 = -2ns};
    EXPECT_EQ(live_figures().find("delay_p50_ns")->of(row), FigureValue(std::int64_t{-2}));
}

}  // namespace
}  // namespace groma
