#include "decoder/text/text_screen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "common/cli/flow_lines.hpp"
#include "common/cli/wrapped_text.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

SamplePair pair_of_many(std::uint32_t flows, const std::string& name) {
    SamplePair pair;
    pair.sender = empty_log(LogRole::sender, flows);
    pair.receiver = empty_log(LogRole::receiver, flows);
    for (std::uint32_t id = 1; id <= flows; ++id) {
        for (SampleLog* log : {&pair.sender, &pair.receiver}) {
            log->metadata.flows[id - 1].spec.name = name;
        }
        pair.sender.sent.push_back({FlowId{id}, {sent_packet(0, 0), sent_packet(1, 1'000'000'000)}});
        pair.receiver.received.push_back({FlowId{id}, {received_packet(0, 0, 20'000'000)}});
    }
    close(pair.sender);
    close(pair.receiver);
    pair.receiver.totals->flows.front().packets += 1;  // has no record: a note on it
    return pair;
}

void expect_a_screen(const std::string& text) {
    EXPECT_LE(lines_in(text), kMostScreenLines) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), kLineWidth) << line;
    }
}

TEST(TextScreen, ReadsLikeThis) {
    EXPECT_EQ(text_screen(small_pair().analyzed()),
              R"('sample', run 0123456789abcdef0123456789abcdef, seed 7, 2023-11-14 22:13:20.000 UTC: 1 flow of
   send.glog, recv.glog

  flow        received  packet rate  lost  lost [%]  delay p50   p99  jitter
  flow-1  347.8 kbit/s    86.96 pps     1      33.3       1 ms  3 ms  125 us

Sent as asked: 99 % of the packets left within 0 ns of their time.
Network: lost 1 of 3 (33 %).
Result: 347.8 kbit/s received, 86.96 pps, lost 1 of 3, delay p50 1 ms p99 3 ms; sent as asked
)");
}

TEST(TextScreen, OfTenFlowsIsOneScreenWhateverTheyAreCalled) {
    const std::string text = text_screen(pair_of_many(10, std::string(100, 'x')).analyzed());
    expect_a_screen(text);
    EXPECT_THAT(text, AllOf(HasSubstr("\n  total "), HasSubstr("(--verbose)")));
}

TEST(TextScreen, OfMoreFlowsShowsTheWorstAndOfGroupsThese) {
    SamplePair pair = pair_of_many(11, "one");
    expect_a_screen(text_screen(pair.analyzed()));
    AnalysisOptions options;
    options.group_by = {GroupKey::transport};
    const std::string text = text_screen(pair.analyzed(options));
    expect_a_screen(text);
    EXPECT_THAT(text, AllOf(HasSubstr("\n  udp "), HasSubstr("\n  total "), Not(HasSubstr("\n  one "))));
}

TEST(TextScreen, SaysWhatOneLogAloneCannotTell) {
    const SamplePair pair = small_pair();
    const std::string sent = text_screen(analyze({pair.sender.source("send.glog")}, {}));
    EXPECT_THAT(sent, AllOf(HasSubstr("\nNetwork: unknown without the receivers' logs.\n"),
                            HasSubstr("\nResult: sent 3 packets, what arrived is unknown; sent")));
    const std::string received = text_screen(analyze({pair.receiver.source("recv.glog")}, {}));
    EXPECT_THAT(received, AllOf(HasSubstr("\nHow it was sent is unknown: of 1 of 1 flow there is no whole log of the "
                                          "sender.\n"),
                                EndsWith("; how it was sent is unknown\n"), Not(HasSubstr("delay p50 0"))));
}

TEST(TextScreen, LostRepliesOfAllFlowsAreKnownWhereThoseOfEachAre) {
    Results results = pair_of_many(2, "asks").analyzed();
    std::vector<FlowResult>& flows = results.runs.at(0).flows;
    flows[0].round_trip.emplace().backward_lost = 2;
    flows[1].round_trip.emplace();
    EXPECT_THAT(text_screen(results), AllOf(HasSubstr("lost back\n"), Not(HasSubstr("on the way back"))));
    flows[1].round_trip->backward_lost = 1;
    EXPECT_THAT(text_screen(results),
                AllOf(HasSubstr("; 3 replies were lost on the way back."), HasSubstr(", 3 lost back")));
}

TEST(TextScreen, SaysThatNothingArrived) {
    SamplePair pair = small_pair();
    pair.receiver.received.clear();
    close(pair.receiver);
    const std::string text = text_screen(pair.analyzed());
    EXPECT_THAT(text, AllOf(HasSubstr("\nNetwork: NOTHING ARRIVED.\n"), HasSubstr("NOTHING ARRIVED of 3 packets")));
}

TEST(TextScreen, ALogThatWasCutShortSaysSo) {
    SamplePair pair = small_pair();
    pair.sender.totals.reset();
    EXPECT_THAT(text_screen(pair.analyzed()), HasSubstr("send.glog (log cut short: totals missing)"));
}

}  // namespace
}  // namespace groma
