#include "logserver/page/live_rows.hpp"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace groma {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string sent_line(double t_s, int packets, const std::string& log = "send.glog") {
    return fmt::format(
        R"({{"type":"live","log":"{}","role":"sender","t_s":{},"interval_s":1,"sent_packets":{},"sent_bytes":{},"received_packets":null}})",
        log, t_s, packets, packets * 100);
}

std::string received_line(double t_s, int packets, int missing, const std::string& log = "recv.glog") {
    return fmt::format(
        R"({{"type":"live","log":"{}","role":"receiver","t_s":{},"interval_s":1,"sent_packets":null,"received_packets":{},"received_bytes":{},)"
        R"("missing_packets":{},"delay_min_ns":-5,"delay_p50_ns":10,"delay_p90_ns":20,"delay_p99_ns":30,"delay_max_ns":40}})",
        log, t_s, packets, packets * 100, missing);
}

TEST(LiveRows, AnIntervalHasWhatAllLogsHaveOfIt) {
    LiveRows rows;
    rows.add(sent_line(0, 10));
    rows.add(received_line(0, 8, 2));
    EXPECT_THAT(rows.take_settled(), IsEmpty()) << "more of it may come";
    rows.add(sent_line(1, 11));
    EXPECT_THAT(rows.take_settled(), IsEmpty());
    rows.add(received_line(1, 9, 3));
    const std::vector<IntervalRow> settled = rows.take_settled();
    ASSERT_THAT(settled, SizeIs(1));
    EXPECT_EQ(settled[0].all.sent_packets, 10U);
    EXPECT_EQ(settled[0].all.received_packets, 8U);
    EXPECT_EQ(settled[0].all.throughput_bps(), 6400);
    EXPECT_EQ(settled[0].all.delays->min, Nanos{-5});
    EXPECT_EQ(settled[0].all.delays->p99, Nanos{30});
    const std::vector<IntervalRow> rest = rows.take_rest();
    ASSERT_THAT(rest, SizeIs(1));
    EXPECT_EQ(rest[0].all.from, Nanos{1'000'000'000});
    EXPECT_EQ(rest[0].all.sent_packets, 11U);
    EXPECT_EQ(rest[0].all.missing_packets, 3U);
}

TEST(LiveRows, LogsOfSeveralReceiversAreAddedUp) {
    LiveRows rows;
    rows.add(received_line(0, 8, 2, "a.glog"));
    rows.add(received_line(0, 5, 1, "b.glog"));
    const std::vector<IntervalRow> rest = rows.take_rest();
    ASSERT_THAT(rest, SizeIs(1));
    EXPECT_EQ(rest[0].all.received_packets, 13U);
    EXPECT_EQ(rest[0].all.missing_packets, 3U);
    EXPECT_EQ(rest[0].all.length, Nanos{1'000'000'000});
}

TEST(LiveRows, ALogThatHasEndedHoldsNothingUpForLong) {
    LiveRows rows;
    rows.add(sent_line(0, 10));
    for (int t = 0; t < 20; ++t) {
        rows.add(received_line(t, 1, 0));
    }
    EXPECT_THAT(rows.take_settled(), SizeIs(9));
}

TEST(LiveRows, WhatComesLateIsInTheNextIntervalSoThatSumsAreRight) {
    LiveRows rows;
    rows.add(received_line(0, 1, 0));
    rows.add(received_line(20, 1, 0));
    rows.add(sent_line(15, 1));
    EXPECT_THAT(rows.take_settled(), SizeIs(1));
    rows.add(sent_line(0, 7, "late.glog"));
    std::uint64_t sent = 0;
    for (const IntervalRow& row : rows.take_rest()) {
        sent += row.all.sent_packets.value_or(0);
    }
    EXPECT_EQ(sent, 8U);
}

TEST(LiveRows, ALogThatIsReadAgainCountsOnce) {
    LiveRows rows;
    for (int again = 0; again < 2; ++again) {
        rows.add(sent_line(0, 10));
        rows.add(sent_line(1, 10));
    }
    std::uint64_t sent = 0;
    for (const IntervalRow& row : rows.take_rest()) {
        sent += row.all.sent_packets.value_or(0);
    }
    EXPECT_EQ(sent, 20U);
}

TEST(LiveRows, OtherLinesArePassedOver) {
    LiveRows rows;
    const std::string line = sent_line(0, 10);
    for (std::size_t length = 0; length < line.size(); ++length) {
        rows.add(line.substr(0, length));
    }
    for (const char* const other :
         {"groma-dec: warning: x", R"({"type":"report"})", R"({"type":"live","log":1,"t_s":0,"interval_s":1})",
          R"({"type":"live","log":"x","t_s":-1,"interval_s":1})",
          R"({"type":"live","log":"x","t_s":1e300,"interval_s":1})",
          R"({"type":"live","log":"x","t_s":0,"interval_s":0})",
          R"({"type":"live","log":"x","t_s":"0","interval_s":1})", "[]", "null", "\xff"}) {
        rows.add(other);
    }
    EXPECT_THAT(rows.take_rest(), IsEmpty());
}

}  // namespace
}  // namespace groma
