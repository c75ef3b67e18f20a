// Which logs make a run, and which of their records count: damaged logs, records out of place, logs of other runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "decoder/analysis/run_analysis.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(RunLogs, ALogThatWasCutShortIsMarkedAndTheRestComputed) {
    SamplePair pair = small_pair();
    pair.receiver.totals.reset();
    const Results results = pair.analyzed();
    EXPECT_TRUE(results.damaged);
    EXPECT_THAT(results.warnings, Contains(HasSubstr("recv.glog: log cut short: totals missing")));
    EXPECT_EQ(only_flow(results).loss.packets, std::nullopt);
    EXPECT_EQ(only_flow(results).received.value().packets, 3U);
    EXPECT_EQ(only_flow(results).series.rows().front().lost, std::nullopt);
}

TEST(RunLogs, RecordsThatWereCountedButAreNotThereAreNamed) {
    SamplePair pair = small_pair();
    pair.receiver.totals->flows.front().packets = 8;
    pair.receiver.gaps.push_back({.offset = 4096, .bytes = 512, .reason = "checksum does not match"});
    const Results results = pair.analyzed();
    EXPECT_TRUE(results.damaged);
    EXPECT_EQ(only_flow(results).received.value().records_missing, 5U);
    EXPECT_THAT(results.warnings, Contains("recv.glog: 512 bytes unreadable at offset 4096: checksum does not match"));
    EXPECT_THAT(only_flow(results).notes,
                Contains(HasSubstr("the records of 5 packets are not in the receiver's log")));
}

TEST(RunLogs, TotalsThatCountFewerPacketsThanThereAreRecordsAreNamed) {
    SamplePair pair = small_pair();
    pair.sender.totals->flows.front().packets = 0;
    pair.receiver.totals->flows.front().packets = 2;
    const Results results = pair.analyzed();
    EXPECT_TRUE(results.damaged);
    EXPECT_THAT(only_flow(results).notes,
                Contains(HasSubstr("sent: the totals of the sender's log contradict its records")));
    EXPECT_THAT(only_flow(results).notes, Contains("received: the totals of the receiver's log contradict its records: "
                                                   "1 record more than it counts packets"));
}

TEST(RunLogs, EntriesThatTotalsHaveTwiceAreNamedAndTheFirstCounts) {
    SamplePair pair = small_pair();
    auto& flows = pair.receiver.totals->flows;
    flows.front().counters = {{"kernel_drops", 1}, {"kernel_drops", 5}};
    flows.push_back(flows.front());
    flows.back().packets = 1000;
    const Results results = pair.analyzed();
    EXPECT_TRUE(results.damaged);
    EXPECT_THAT(results.warnings,
                Contains(HasSubstr("recv.glog: its totals have several entries of a flow or a counter")));
    EXPECT_EQ(only_flow(results).received.value().packets, 3U);
    EXPECT_EQ(only_flow(results).received.value().counters.size(), 1U);
    EXPECT_EQ(only_flow(results).received.value().counter("kernel_drops"), 1U);
    EXPECT_EQ(results.runs.front().logs.back().packets_missing, 0U);
}

TEST(RunLogs, TimesThatNoClocksHaveAreSaid) {
    SamplePair pair = small_pair();
    pair.sender.metadata.boot_id = pair.receiver.metadata.boot_id = "one-boot";
    pair.receiver.received.front().second.front() = received_packet(0, 0, -5'000'000);
    EXPECT_THAT(only_flow(pair.analyzed()).notes,
                Contains(HasSubstr("delay: negative for 1 packet, by more than the largest error of the clocks")));
}

TEST(RunLogs, RecordsOfAFlowThatTheLogDoesNotNameAreLeftOutAndSaid) {
    SamplePair pair = small_pair();
    pair.sender.sent.push_back({FlowId{9}, {sent_packet(0, 0)}});
    const Results results = pair.analyzed();
    EXPECT_THAT(results.warnings, Contains(HasSubstr("1 record is of flows or of a kind")));
    EXPECT_EQ(results.runs.front().flows.size(), 1U);
}

TEST(RunLogs, RecordsOfTheOtherSideInALogAreLeftOut) {
    SamplePair pair = small_pair();
    pair.receiver.sent.push_back({FlowId{1}, {sent_packet(77, 0)}});
    EXPECT_EQ(only_flow(pair.analyzed()).sent.value().packets, 3U);
}

TEST(RunLogs, LogsOfDifferentRunsAreReportedApartAndNamed) {
    SamplePair pair = small_pair();
    pair.receiver.metadata.run_id = "another";
    const Results results = pair.analyzed();
    ASSERT_EQ(results.runs.size(), 2U);
    EXPECT_THAT(results.warnings, Contains(HasSubstr("run another is in recv.glog")));
    EXPECT_EQ(results.runs[0].flows.front().loss.packets, std::nullopt);
}

TEST(RunLogs, TheSameSidesLogTwiceIsRefused) {
    const SamplePair pair = small_pair();
    try {
        static_cast<void>(analyze({pair.sender.source("a.glog"), pair.sender.source("b.glog")}, {}));
        FAIL() << "was not refused";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("a.glog and b.glog are both the sender's log of flow 1"));
    }
}

TEST(RunLogs, TheSameReceiversLogTwiceIsRefused) {
    const SamplePair pair = small_pair();
    try {
        static_cast<void>(analyze({pair.receiver.source("a.glog"), pair.receiver.source("b.glog")}, {}));
        FAIL() << "was not refused";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("a.glog and b.glog are both the receiver's log of flow 1 of one run on beta"));
    }
}

TEST(RunLogs, OneFlowCanBeSelected) {
    SampleLog sender = empty_log(LogRole::sender, 3);
    close(sender);
    AnalysisOptions options;
    options.flows = {FlowId{2}};
    const Results results = analyze({sender.source("s")}, options);
    EXPECT_EQ(only_flow(results).spec.name, "flow-2");
}

TEST(RunLogs, AFlowThatNoLogHasIsRefused) {
    AnalysisOptions options;
    options.flows = {FlowId{4}};
    EXPECT_THROW(static_cast<void>(small_pair().analyzed(options)), UsageError);
}

TEST(RunLogs, ALogWithoutMetadataIsNamedAndTheOthersAreRead) {
    const LogSource nameless{"broken.glog", 0, [](LogVisitor&) {}};
    const Results results = analyze({nameless, small_pair().sender.source("s")}, {});
    EXPECT_TRUE(results.damaged);
    EXPECT_THAT(results.warnings, Contains(HasSubstr("broken.glog: its metadata cannot be read")));
    EXPECT_EQ(only_flow(results).sent.value().packets, 3U);
}

}  // namespace
}  // namespace groma
