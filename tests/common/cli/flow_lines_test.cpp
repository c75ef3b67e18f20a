#include "common/cli/flow_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::HasSubstr;
using testing::Not;

FlowLine known_line() {
    return {.name = "voip",
            .sent = 11'948,
            .received = 11'948,
            .bps = 11.65e6,
            .pps = 1991,
            .lost = 0,
            .p50 = Nanos{9'300},
            .p99 = Nanos{29'000},
            .jitter = Nanos{1'500}};
}

TEST(FlowLines, ResultIsOneSentence) {
    EXPECT_EQ(result_of(known_line()),
              "11.65 Mbit/s received, 1.991 kpps, lost 0 of 11948, delay p50 9.3 us p99 29 us");
    FlowLine back = known_line();
    back.round_trip = true;
    back.retransmitted = 3;
    back.lost.reset();
    back.lost_at_least = 2;
    EXPECT_EQ(result_of(back),
              "11.65 Mbit/s received, 1.991 kpps, lost >= 2 of 11948, RTT p50 9.3 us p99 29 us, resent 3");
}

TEST(FlowLines, LostRepliesAreToldWhereThereAreSome) {
    FlowLine line = known_line();
    line.round_trip = true;
    line.replies_lost = 0;
    EXPECT_THAT(flow_lines({line}), Not(HasSubstr("lost back")));
    EXPECT_EQ(describe_lost_replies(line.replies_lost), "");
    line.replies_lost = 2;
    EXPECT_THAT(flow_lines({line}), HasSubstr("lost back\n"));
    EXPECT_THAT(result_of(line), HasSubstr(", lost 0 of 11948, 2 lost back, RTT"));
    EXPECT_EQ(describe_lost_replies(2), "; 2 replies were lost on the way back");
    EXPECT_EQ(describe_lost_replies(1), "; 1 reply was lost on the way back");
    EXPECT_EQ(describe_lost_replies(std::nullopt), "");
}

TEST(FlowLines, ResultSaysWhatIsUnknown) {
    EXPECT_EQ(result_of({.name = "", .sent = 7, .received = 0}), "sent 7 packets, what arrived is unknown");
    EXPECT_EQ(result_of({.name = "", .sent = 7}), "sent 7 packets, what arrived is unknown");
    EXPECT_EQ(result_of({.name = "", .sent = 7, .received = 0, .lost = 7}), "NOTHING ARRIVED of 7 packets");
    EXPECT_EQ(result_of({.name = "", .sent = 7, .received = 1, .lost = 6}), "1 packet received, lost 6 of 7");
    EXPECT_EQ(result_of({.name = "", .received = 5}), "5 packets received");
    EXPECT_EQ(result_of({.name = ""}), "nothing is known");
}

TEST(FlowLines, TableMarksRoundTripsAmongOthersAndLeavesOutWhatNoFlowHas) {
    FlowLine back = known_line();
    back.name = "a-flow-with-a-long-name";
    back.round_trip = true;
    EXPECT_THAT(flow_lines({known_line()}), HasSubstr("delay p50"));
    EXPECT_THAT(flow_lines({back}), HasSubstr("RTT p50"));
    const std::string both = flow_lines({known_line(), back});
    EXPECT_THAT(both, HasSubstr("  RTT 9.3 us  RTT 29 us"));
    EXPECT_THAT(both, Not(HasSubstr("long-name")));
    EXPECT_THAT(both, Not(HasSubstr("resent")));
    back.retransmitted = 5;
    EXPECT_THAT(flow_lines({known_line(), back}), HasSubstr("resent\n"));
}

TEST(FlowLines, SentencesFillTheRoomThatThereIs) {
    const std::vector<std::string> three{"one", "two", "three"};
    EXPECT_EQ(sentences_that_fit(three, "notes", 3), "  one\n  two\n  three\n");
    EXPECT_EQ(sentences_that_fit(three, "notes", 2), "  one\n  2 more notes (--verbose)\n");
    EXPECT_EQ(sentences_that_fit(three, "notes", 1), "  3 notes (--verbose)\n");
    EXPECT_EQ(sentences_that_fit(three, "notes", 0), "");
    EXPECT_EQ(sentences_that_fit({}, "notes", 5), "");
    const std::string longer(150, 'x');
    EXPECT_EQ(lines_in(sentences_that_fit({"a " + longer, "b"}, "notes", 3)), 3U);
}

TEST(FlowLines, ParagraphsAreIndentedFromTheirSecondLineOn) {
    const std::string text = paragraph(std::string(60, 'a') + ' ' + std::string(60, 'b'));
    EXPECT_EQ(text, std::string(60, 'a') + "\n   " + std::string(60, 'b') + '\n');
}

}  // namespace
}  // namespace groma
