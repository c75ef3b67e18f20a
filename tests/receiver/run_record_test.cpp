#include "receiver/run_record.hpp"

#include <gmock/gmock.h>

namespace groma {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr WallTime kNow = wall_time_from_ns(5);

ReceivedFlow received(std::uint64_t packets, std::uint64_t records_lost) {
    return {.flow = FlowId{1},
            .packets = packets,
            .bytes = 100 * packets,
            .duplicates = 1,
            .reordered = 2,
            .foreign = 3,
            .malformed = 4,
            .kernel_drops = 5,
            .records_lost = records_lost,
            .state = "ok",
            .first_arrival = wall_time_from_ns(6),
            .last_arrival = wall_time_from_ns(7)};
}

TEST(RunRecord, HasNoEventsWhenAllWentWell) {
    EXPECT_THAT(closing_events("complete", {received(10, 0)}, kNow), IsEmpty());
}

TEST(RunRecord, TellsASenderThatWasLostFromARunThatWasStopped) {
    EXPECT_THAT(closing_events("peer lost: reset", {}, kNow), ElementsAre(Field(&LogEvent::kind, "peer-lost")));
    EXPECT_THAT(closing_events("interrupted", {}, kNow), ElementsAre(Field(&LogEvent::kind, "interrupted")));
}

TEST(RunRecord, TellsOfEveryFlowThatBrokeOrIsNotWholeInTheLog) {
    ReceivedFlow flow = received(10, 4);
    flow.state = "the connection broke";
    const auto events = closing_events("complete", {flow}, kNow);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].kind, "flow-broken");
    EXPECT_EQ(events[1].kind, "records-lost");
    EXPECT_EQ(events[1].flow, FlowId{1});
    EXPECT_THAT(events[1].text, HasSubstr("4 packets"));
}

TEST(RunRecord, CountsPacketsThatLackTheStampOfOthers) {
    ReceivedFlow flow = received(10, 0);
    flow.unstamped = 2;
    const LogTotals totals = closing_totals("complete", {flow}, kNow);
    EXPECT_EQ(totals.flows.at(0).counters.back(), (std::pair<std::string, std::uint64_t>("unstamped_packets", 2)));
}

TEST(RunRecord, ClosesALogWithEveryCounter) {
    const LogTotals totals = closing_totals("complete", {received(10, 4)}, kNow);
    EXPECT_EQ(totals.ended_at, kNow);
    EXPECT_EQ(totals.end, "complete");
    const FlowTotals& flow = totals.flows.at(0);
    EXPECT_EQ(flow.packets, 10U);
    EXPECT_EQ(flow.records, 6U);
    EXPECT_EQ(flow.records_lost, 4U);
    EXPECT_EQ(flow.first, wall_time_from_ns(6));
    EXPECT_EQ(flow.last, wall_time_from_ns(7));
    EXPECT_THAT(flow.counters,
                ElementsAre(std::pair("duplicates", 1U), std::pair("reordered", 2U), std::pair("foreign_packets", 3U),
                            std::pair("malformed_packets", 4U), std::pair("kernel_drops", 5U)));
}

TEST(RunRecord, TellsOfRepliesOfFlowsThatHaveThem) {
    ReceivedFlow flow = received(10, 0);
    flow.replies = 8;
    flow.replies_lost = 2;
    const LogTotals totals = closing_totals("complete", {flow}, kNow);
    const auto& counters = totals.flows.at(0).counters;
    EXPECT_THAT(counters, ::testing::Contains(std::pair<std::string, std::uint64_t>("replies", 8)));
    EXPECT_THAT(counters, ::testing::Contains(std::pair<std::string, std::uint64_t>("replies_lost", 2)));
    EXPECT_EQ(end_in_words("complete", {.flows = {flow}, .log_error = ""}),
              "the run ended: complete; 10 packets, 8 sent back, 2 that could not be sent back");
}

TEST(RunRecord, TellsSinceWhenPacketsShareATimeOfArrivalAndWhy) {
    ReceivedFlow flow = received(10, 0);
    flow.coalescing = Coalescing{.packets = 8, .since = wall_time_from_ns(3), .why = GroReason::half_full};
    const auto events = closing_events("complete", {flow}, kNow);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, "gro-on");
    EXPECT_EQ(events[0].flow, FlowId{1});
    EXPECT_EQ(events[0].at, wall_time_from_ns(3));
    EXPECT_THAT(events[0].text, HasSubstr("because the socket's buffer was more than half full; 8 do"));
    EXPECT_THAT(closing_totals("complete", {flow}, kNow).flows.at(0).counters,
                ::testing::Contains(std::pair<std::string, std::uint64_t>("coalesced_packets", 8)));
}

TEST(RunRecord, SaysAtTheEndWhatIsNotInTheLogAndWhy) {
    EXPECT_EQ(end_in_words("complete", {.flows = {received(10, 0)}, .log_error = ""}),
              "the run ended: complete; 10 packets");
    EXPECT_EQ(end_in_words("complete", {.flows = {received(10, 4)}, .log_error = "disk full"}),
              "the run ended: complete; 10 packets, 4 of them not in the log; the log is not whole: disk full");
}

}  // namespace
}  // namespace groma
