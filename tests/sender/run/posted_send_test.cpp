#include "sender/run/posted_send.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

SenderOptions options_of(std::size_t flows) {
    SenderOptions options;
    options.experiment.name = "sample";
    for (std::uint32_t i = 1; i <= flows; ++i) {
        FlowSpec& flow = options.experiment.flows.emplace_back();
        flow.id = FlowId{i};
        flow.name = "flow";
        flow.target.host = "beta";
    }
    return options;
}

TEST(PostedSend, DescribesTheRunWhenItBegins) {
    ManualClock clock;
    RunBoard board;
    const PostedSend posted(board, options_of(3), clock);
    const BoardEntry entry = board.detail(1)->entry;
    EXPECT_EQ(entry.run->experiment, "sample");
    EXPECT_EQ(entry.run->flows.size(), 3U);
    EXPECT_EQ(entry.run->hosts.size(), 2U) << "the sender, and a receiver once";
    EXPECT_EQ(entry.run->flows[0].to, "beta:9000");
    EXPECT_EQ(entry.end, nullptr);
}

TEST(PostedSend, RowsAreForTheBoardAndForWhoWantsThem) {
    ManualClock clock;
    RunBoard board;
    PostedSend posted(board, options_of(1), clock);
    EXPECT_EQ(posted.rows({}).interval, 1s);
    EXPECT_TRUE(posted.rows({}).beside_progress);
    int taken = 0;
    const RowsWanted both = posted.rows(RowsWanted{.interval = 5s, .take = [&taken](const IntervalRow&) { ++taken; }});
    EXPECT_EQ(both.interval, 5s);
    EXPECT_FALSE(both.beside_progress);
    both.take({.all = {.length = 5s, .sent_packets = 7}});
    posted.rows({}).take({.all = {.from = 5s, .length = 5s, .sent_packets = 3}});
    EXPECT_EQ(taken, 1);
    EXPECT_EQ(board.detail(1)->entry.so_far.sent_packets, 10U);
}

TEST(PostedSend, ARunThatIsNotEndedHasFailed) {
    ManualClock clock;
    RunBoard board;
    { const PostedSend posted(board, options_of(1), clock); }
    EXPECT_EQ(board.detail(1)->entry.end->end, "failed");
}

TEST(PostedSend, TheEndHasTheVerdictsOfTheReport) {
    ManualClock clock;
    RunBoard board;
    {
        PostedSend posted(board, options_of(1), clock);
        posted.end("the report\n",
                   R"({"run": {"interrupted": true}, "verdict": {"result": "late", "text": "LATE"},
                       "network": {"result": "all", "text": "all arrived"}})",
                   {"it was late"});
    }
    const std::shared_ptr<const BoardEnd> end = board.detail(1)->entry.end;
    EXPECT_EQ(end->end, "interrupted");
    EXPECT_EQ(end->verdict_text, "LATE");
    EXPECT_EQ(end->network, "all");
    EXPECT_EQ(end->report_text, "the report\n\nit was late\n");
    EXPECT_THAT(end->report_json, HasSubstr("all arrived"));
}

}  // namespace
}  // namespace groma
