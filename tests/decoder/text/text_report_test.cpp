#include "decoder/text/text_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/base/plain_text.hpp"
#include "tests/awkward_names.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(TextReport, TheInstrumentsErrorComesBeforeTheNetworks) {
    const std::string text = text_report(small_pair().analyzed());
    const auto own = text.find("The instrument's own error");
    ASSERT_NE(own, std::string::npos);
    EXPECT_LT(own, text.find("\nPackets\n"));
    EXPECT_LT(own, text.find("\nOne-way delay of packets that arrived\n"));
}

TEST(TextReport, EveryDelaySaysWhoseClocksItCameFrom) {
    EXPECT_THAT(text_report(small_pair().analyzed()), HasSubstr("one clock, offset 0"));
}

TEST(TextReport, ALowerBoundOfTheLossLooksLikeOne) {
    const std::string text = text_report(analyze({small_pair().receiver.source("recv.glog")}, {}));
    EXPECT_THAT(text, HasSubstr(">= 1"));
    EXPECT_THAT(text, HasSubstr("flow 1: loss: unknown, without the sender's log (at least 1 packet"));
    EXPECT_THAT(text, Not(HasSubstr("The instrument's own error")));
    EXPECT_THAT(text, HasSubstr("without the sender's log, which has the clock probes: delays are relative"));
}

TEST(TextReport, ALogThatWasCutShortSaysSo) {
    SamplePair pair = small_pair();
    pair.sender.totals.reset();
    EXPECT_THAT(text_report(pair.analyzed()), HasSubstr("log cut short: totals missing"));
}

TEST(TextReport, ALogThatLacksRecordsIsNotCalledComplete) {
    const auto line_of = [](const SamplePair& pair) {
        const std::string text = text_report(pair.analyzed());
        const auto line = text.find("  recv.glog (receiver");
        return text.substr(line, text.find('\n', line) - line);
    };
    SamplePair pair = small_pair();
    const std::string before = line_of(pair);
    EXPECT_THAT(before, EndsWith(" records, complete"));
    pair.receiver.gaps.push_back({.offset = 1000, .bytes = 100, .reason = "checksum", .torn_tail = false});
    EXPECT_THAT(line_of(pair), EndsWith(" records, damaged: no records missing"));
    pair.receiver.received.front().second.pop_back();
    EXPECT_THAT(line_of(pair), EndsWith(" records, damaged: 1 record missing"));
    pair.receiver.received.front().second.pop_back();
    pair.receiver.totals->end = "interrupted";
    EXPECT_THAT(line_of(pair), EndsWith(" 1 record, damaged: 2 records missing; interrupted"));
    pair.receiver.gaps.clear();
    EXPECT_THAT(line_of(pair), EndsWith(" 1 record, 2 records missing; interrupted"));
}

TEST(TextReport, TextFromALogCannotMoveTheCursor) {
    SamplePair pair = small_pair();
    pair.sender.metadata.experiment = "\x1b[2Jwiped";
    pair.sender.metadata.flows.front().spec.name = "\x1b[31mred";
    pair.sender.events.push_back({wall_time_from_ns(kStartNs), FlowId{1}, "kind\r", "text\x07"});
    const std::string text = text_report(pair.analyzed());
    EXPECT_EQ(text.find_first_of("\x1b\r\x07"), std::string::npos);
    EXPECT_THAT(text, HasSubstr("2023-11-14 22:13:20.000 UTC send.glog, flow 1"));
}

TEST(TextReport, HasTheSameLinesWhateverThingsAreCalled) {
    const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
    const auto plain_lines = lines(text_report(pair_that_says("a").analyzed()));
    for (const char* name : kAwkwardNames) {
        std::string text = text_report(pair_that_says(name).analyzed());
        EXPECT_EQ(lines(text), plain_lines) << plain_text(name);
        std::erase(text, '\n');
        EXPECT_EQ(plain_text(text, text.size()), text) << plain_text(name);
    }
}

TEST(TextReport, SaysWhatChanceLeavesOpenOfLossAndDelay) {
    EXPECT_THAT(text_report(small_pair().analyzed()), Not(HasSubstr("95 % intervals"))) << "of two packets";
    SamplePair pair;
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;
    for (std::uint64_t seq = 0; seq < 4'000; ++seq) {
        const auto at = static_cast<std::int64_t>(1'000'000 * seq);
        sent.push_back(sent_packet(seq, at));
        if (seq % 100 != 50) {
            received.push_back(received_packet(seq, at, seq % 2 == 0 ? 1'000'000 : 3'000'000));
        }
    }
    pair.sender.sent = {{FlowId{1}, sent}};
    pair.receiver.received = {{FlowId{1}, received}};
    close(pair.sender);
    close(pair.receiver);
    const std::string text = text_report(pair.analyzed());
    const auto intervals = text.substr(text.find("95 % intervals of loss and delay"));
    EXPECT_THAT(intervals, ::testing::ContainsRegex("\n +flow +lost .%. +mean delay +p50 +p99\n +1 +0[.][0-9]+ to "
                                                    "1[.][0-9]+ +2[.0-9]* ms to 2[.0-9]* ms +1 ms to [0-9.]+ ms "));
}

TEST(TextReport, HasATotalOnlyForSeveralFlows) {
    EXPECT_THAT(text_report(small_pair().analyzed()), Not(HasSubstr("total")));
    SampleLog sender = empty_log(LogRole::sender, 2);
    sender.sent = {{FlowId{1}, {sent_packet(0, 0), sent_packet(1, 1000)}}};
    close(sender);
    EXPECT_THAT(text_report(analyze({sender.source("s")}, {})), HasSubstr("total"));
}

}  // namespace
}  // namespace groma
