#include "decoder/analysis/expected_flows.hpp"

#include <gtest/gtest.h>

#include <list>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

/// The logs of a run, as they are before their records are read.
class ExpectedFlows : public testing::Test {
protected:
    const LogTally& tally_of(const SampleLog& log) {
        sources_.push_back(log.source("sample.glog"));
        return tallies_.emplace_back(CataloguedLog{&sources_.back(), log.metadata}, flows_, progress_);
    }
    void expect_sender(const SampleLog& log) {
        const LogTally& tally = tally_of(log);
        const Expected expected{logs_, options_, selection_};
        expect_departures(tally, expected, flows_);
        expect_returns({&sources_.back(), log.metadata}, expected, flows_);
    }
    const LogTally& expect_receiver(const SampleLog& log) {
        const LogTally& tally = tally_of(log);
        expect_arrivals(tally, {logs_, options_, selection_}, flows_);
        return tally;
    }
    [[nodiscard]] FlowAnalysis& flow(std::uint32_t id) { return *flows_.at(FlowId{id}); }

    RunLogs logs_;
    AnalysisOptions options_;
    Selection selection_;
    FlowAnalyses flows_;

private:
    ReadProgress progress_;
    std::list<LogSource> sources_;
    std::list<LogTally> tallies_;
};

TEST_F(ExpectedFlows, OfASenderHaveTheAnalyzersThatTheirOptionsAskFor) {
    SampleLog log = empty_log(LogRole::sender, 3);
    log.metadata.flows[1].spec.meter = Meter::round_trip;
    log.metadata.flows[2].spec.options.sent_stamps = StampSource::kernel;
    expect_sender(log);
    for (const std::uint32_t id : {1U, 2U, 3U}) {
        EXPECT_NE(flow(id).sent, nullptr) << id;
        EXPECT_EQ(flow(id).returned != nullptr, id == 2) << id;
        EXPECT_EQ(flow(id).transmitted != nullptr, id == 3) << id;
        EXPECT_EQ(flow(id).received, nullptr) << id;
    }
}

TEST_F(ExpectedFlows, AreOnlyThoseThatWereAskedFor) {
    options_.flows = {FlowId{2}};
    SampleLog log = empty_log(LogRole::sender, 3);
    log.metadata.flows[2].spec.meter = Meter::round_trip;
    expect_sender(log);
    expect_receiver(empty_log(LogRole::receiver, 3));
    ASSERT_EQ(flows_.size(), 1U);
    EXPECT_NE(flow(2).received, nullptr);
}

/// How many times of departure of one packet that cannot carry its own are kept.
std::size_t times_kept(FlowAnalysis& flow) {
    flow.sent->add(sent_packet(0, 0, 8));
    return flow.sent->times().size();
}

TEST_F(ExpectedFlows, KeepTimesOfDepartureOnlyForWhatIsJoinedToThem) {
    SampleLog log = empty_log(LogRole::sender, 2);
    log.metadata.flows[1].spec.meter = Meter::round_trip;
    expect_sender(log);
    EXPECT_EQ(times_kept(flow(1)), 0U);
    EXPECT_EQ(times_kept(flow(2)), 1U);
}

TEST_F(ExpectedFlows, KeepTimesOfDepartureWhereAReceiversLogIsThere) {
    logs_.receivers.emplace_back();
    expect_sender(empty_log(LogRole::sender));
    EXPECT_EQ(times_kept(flow(1)), 1U);
}

TEST_F(ExpectedFlows, ASecondReceiverOfAFlowHasItsOwnAnalysis) {
    expect_sender(empty_log(LogRole::sender));
    const LogTally& first = expect_receiver(empty_log(LogRole::receiver));
    SampleLog elsewhere = empty_log(LogRole::receiver);
    elsewhere.metadata.boot_id = "another-boot";
    elsewhere.metadata.host = "gamma";
    const LogTally& second = expect_receiver(elsewhere);
    ASSERT_EQ(flow(1).further.size(), 1U);
    const FlowAnalysis& further = *flow(1).further.front();
    EXPECT_EQ(flow(1).receiver_log, &first);
    EXPECT_EQ(flow(1).clock.kind, ClockState::Kind::one_clock);
    EXPECT_EQ(further.receiver_log, &second);
    EXPECT_EQ(further.sender_log, flow(1).sender_log);
    EXPECT_EQ(further.clock.kind, ClockState::Kind::relative);
    EXPECT_EQ(further.sent, nullptr);
}

TEST_F(ExpectedFlows, WithoutTheSendersLogHaveRelativeDelays) {
    expect_receiver(empty_log(LogRole::receiver));
    EXPECT_EQ(flow(1).clock.kind, ClockState::Kind::relative);
    flow(1).received->add(received_packet(0, 0, 1000));
    EXPECT_EQ(flow(1).received->delay_bound(), std::nullopt);
}

}  // namespace
}  // namespace groma
