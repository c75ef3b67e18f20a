#include "sender/report/run_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/counts.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(RunReport, ACompleteRunWithWholeLogsIsASuccess) {
    EXPECT_THAT(failures(faithful_run({"a", "b"})), IsEmpty());
}

TEST(RunReport, LossIsNoFailure) {
    SendReport report = faithful_run();
    report.flows[0].received->packets = 9'000;
    EXPECT_THAT(failures(report), IsEmpty());
    EXPECT_EQ(report.flows[0].lost().number, 1000U);
}

TEST(RunReport, DuplicatesDoNotHideLoss) {
    FlowReport flow = faithful_flow(1, "flow");
    flow.received->packets = 10'000;
    flow.received->duplicates = 3;
    EXPECT_EQ(flow.unique(), 9'997U);
    EXPECT_EQ(flow.lost().number, 3U);
}

TEST(RunReport, AReceiverThatCountsMoreThanWasSentMeansNoLossAndNoHugeNumber) {
    FlowReport flow = faithful_flow(1, "flow");
    flow.received->packets = 10'001;
    EXPECT_EQ(flow.lost().number, 0U);
    flow.received->duplicates = 20'000;
    EXPECT_EQ(flow.unique(), 0U);
}

TEST(RunReport, WithoutResultsNothingIsSaidToBeLost) {
    FlowReport flow = faithful_flow(1, "flow");
    flow.received.reset();
    EXPECT_EQ(flow.lost(), LostPackets{});
    flow.outcome.fidelity.packets = 0;
    EXPECT_EQ(flow.lost().number, 0U) << "nothing was sent";
}

TEST(RunReport, CopiesOfPacketsWithoutANumberHideLosses) {
    FlowReport flow = round_trip_flow(1, "flow");
    flow.outcome.counts.unnumbered = 1;
    EXPECT_EQ(flow.lost(), LostPackets{.at_least = 10});
    EXPECT_EQ(flow.lost_on_the_way_back(), std::nullopt);
    flow.spec.transport = Transport::sctp;
    EXPECT_EQ(flow.lost(), LostPackets{.number = 10});
    EXPECT_EQ(flow.lost_on_the_way_back(), 10U);
}

TEST(RunReport, TheTotalLossIsKnownIfThatOfEachFlowIs) {
    std::vector<FlowReport> flows = {round_trip_flow(1, "a"), round_trip_flow(2, "b"), faithful_flow(3, "c")};
    EXPECT_EQ(total_lost(flows), LostPackets{.number = 20});
    EXPECT_EQ(total_round_trip_losses(flows).backward, 20U);
    flows[0].outcome.counts.unnumbered = 1;
    EXPECT_EQ(total_lost(flows), LostPackets{.at_least = 20});
    EXPECT_EQ(total_round_trip_losses(flows).forward, LostPackets{.at_least = 20});
    EXPECT_EQ(total_round_trip_losses(flows).backward, std::nullopt);
    flows[0].received.reset();
    EXPECT_EQ(total_lost(flows), LostPackets{.at_least = 10});
    flows.erase(flows.begin() + 1);
    EXPECT_EQ(total_lost(flows), LostPackets{}) << "of at least 0 nobody learns anything";
}

TEST(RunReport, AnInterruptedRunIsNoSuccess) {
    SendReport report = faithful_run();
    report.interrupted = true;
    report.flows[0].outcome.counts.end = FlowEnd::interrupted;
    EXPECT_THAT(failures(report), ElementsAre("interrupted after 10 s"));
}

TEST(RunReport, FlowsThatFailedForOneReasonAreToldOnce) {
    SendReport report = faithful_run({"a", "b", "c"});
    for (FlowReport& flow : report.flows) {
        flow.outcome.counts.end = FlowEnd::failed;
        flow.outcome.error = "the receiver at 10.0.0.2:9000 closed the connection";
    }
    EXPECT_THAT(failures(report),
                ElementsAre("flow 'a' and 2 more: the receiver at 10.0.0.2:9000 closed the connection"));
}

TEST(RunReport, ALostReceiverIsToldOnceWhetherItsFlowsHadEndedOrNot) {
    SendReport report = faithful_run();
    report.receivers[0].lost = "the receiver at 10.0.0.2:9000 was silent for 4 s";
    EXPECT_THAT(failures(report), ElementsAre("the receiver at 10.0.0.2:9000 was silent for 4 s"));
    report.flows[0].outcome.counts.end = FlowEnd::failed;
    report.flows[0].outcome.error = report.receivers[0].lost;
    EXPECT_THAT(failures(report), ElementsAre("flow 'flow': the receiver at 10.0.0.2:9000 was silent for 4 s"));
}

TEST(RunReport, AFlowThatWasCutShortIsNoSuccess) {
    SendReport report = faithful_run();
    report.flows[0].outcome.counts.cut_short = true;
    EXPECT_THAT(failures(report), ElementsAre(HasSubstr("flow 'flow': was cut short")));
}

TEST(RunReport, RecordsThatWereNotKeptOnEitherSideAreNoSuccess) {
    SendReport report = faithful_run();
    report.flows[0].outcome.counts.records_lost = 5;
    report.flows[0].received->records_lost = 6;
    report.receivers[0].log_error = "no space left on device";
    EXPECT_THAT(failures(report),
                ElementsAre(AllOf(HasSubstr("5 records"), HasSubstr("send.glog")), HasSubstr("6 records"),
                            AllOf(HasSubstr("10.0.0.2:9000"), HasSubstr("no space left on device"))));
}

TEST(RunReport, RecordsDoNotCountWhenNoLogWasAskedFor) {
    SendReport report = faithful_run();
    report.log.reset();
    report.flows[0].outcome.counts.records_lost = 5;
    EXPECT_THAT(failures(report), IsEmpty());
}

TEST(RunReport, WhatAReceiverSaysCannotMoveTheCursor) {
    SendReport report = faithful_run();
    report.flows[0].received->state = "\x1b[2Jreset";
    EXPECT_THAT(failures(report), ElementsAre(HasSubstr("\\x1b[2Jreset")));
}

TEST(RunReport, TheTotalIsTheSumOfTheFlows) {
    const SendReport report = faithful_run({"a", "b"});
    const FlowOutcome total = total_outcome(report.flows);
    EXPECT_EQ(total.fidelity.packets, 20'000U);
    EXPECT_DOUBLE_EQ(total.fidelity.scheduled_pps().value(), 19'999 / 9.999);
    EXPECT_EQ(total.fidelity.lateness_ns.count(), 20'000U);
    EXPECT_EQ(total_received(report)->bytes, 10'240'000U);
}

TEST(RunReport, FlowsOfOnePacketEachHaveNoJitterTogether) {
    SendReport report = faithful_run({"a", "b"});
    for (FlowReport& flow : report.flows) {
        flow.received->delays = ArrivalDelays{.packets = 1, .min = Nanos{10}};
    }
    report.delays = ArrivalDelays{.packets = 2, .min = Nanos{10}, .jitter_ns = 0};
    EXPECT_EQ(total_received(report)->delays->jitter_ns, std::nullopt);
    report.flows[0].received->delays = ArrivalDelays{.packets = 2, .min = Nanos{10}, .jitter_ns = 3};
    EXPECT_TRUE(total_received(report)->delays->jitter_ns);
}

TEST(RunReport, TheTotalOfAFlowToSeveralIsThatOfAllReceivers) {
    SendReport report = faithful_run();
    FlowReport& flow = report.flows[0];
    ReceivedFlow least = *flow.received;
    least.packets = 9'600;
    least.kernel_drops = 400;
    flow.receivers = {{.address = "b", .received = flow.received}, {.address = "c", .received = least}};
    flow.received = least;
    EXPECT_EQ(flow.lost(), LostPackets{.number = 400});
    EXPECT_EQ(total_due(report.flows), 20'000U);
    EXPECT_EQ(total_lost(report.flows), LostPackets{.number = 400});
    EXPECT_EQ(total_received(report)->packets, 19'600U);
    EXPECT_EQ(total_received(report)->kernel_drops, 400U);
    flow.receivers[1].received.reset();
    EXPECT_EQ(total_lost(report.flows), LostPackets{}) << "one of them lost none, and of the other nothing is known";
}

TEST(RunReport, TheTotalOfAnyCountsEndsAtTheLargestThatReadersTake) {
    SendReport report = faithful_run({"a", "b"});
    report.flows[0].received->packets = UINT64_MAX;
    report.flows[1].received->replies = 5;
    EXPECT_EQ(total_received(report)->packets, kLargestCount);
    EXPECT_EQ(total_received(report)->replies, 5U);
}

TEST(RunReport, TheTotalArrivesFromTheFirstPacketOfAllToTheLast) {
    SendReport report = faithful_run({"a", "b"});
    const std::int64_t seconds[] = {100, 104, 102, 109};
    for (std::size_t i = 0; i < 2; ++i) {
        ReceivedFlow& flow = *report.flows[i].received;
        flow.packets = 5;
        flow.first_arrival = wall_time_from_ns(seconds[2 * i] * 1'000'000'000);
        flow.last_arrival = wall_time_from_ns(seconds[2 * i + 1] * 1'000'000'000);
    }
    EXPECT_DOUBLE_EQ(*arrival_rate(*report.flows[0].received), 1);
    EXPECT_DOUBLE_EQ(*arrival_rate(*total_received(report)), 1);
    report.flows[1].received->last_arrival = report.flows[1].received->first_arrival = WallTime{};
    EXPECT_EQ(arrival_rate(*report.flows[1].received), std::nullopt);
    EXPECT_EQ(arrival_rate(*total_received(report)), std::nullopt);
}

TEST(RunReport, ArrivalsByTheClockOfAnInterfaceAreInNoTotal) {
    SendReport report = faithful_run({"a"});
    report.flows[0].received->first_arrival = wall_time_from_ns(1);
    report.flows[0].received->last_arrival = wall_time_from_ns(2);
    EXPECT_TRUE(arrival_rate(*total_received(report)));
    report.flows[0].spec.options.arrival_stamps = StampSource::hardware;
    EXPECT_TRUE(arrival_rate(*report.flows[0].received));
    EXPECT_FALSE(arrival_rate(*total_received(report)));
}

TEST(RunReport, CopiesDoNotMakeUpForRepliesThatWereLost) {
    FlowReport flow = round_trip_flow(1, "there and back");
    EXPECT_EQ(flow.lost_on_the_way_back(), 10U);
    flow.received->packets += 337;  // the network's copies on the way there, which are all sent back,
    flow.received->duplicates = 337;
    flow.received->replies += 337;
    flow.outcome.round_trip->returned += 630;  // and those on the way back
    flow.outcome.round_trip->duplicates = 630;
    EXPECT_EQ(flow.lost_on_the_way_back(), 10U);
}

TEST(RunReport, ManyDifferentReasonsAreCutShort) {
    std::vector<std::string> names(30, "f");
    SendReport report = faithful_run(names);
    for (std::size_t i = 0; i < report.flows.size(); ++i) {
        report.flows[i].outcome.counts.end = FlowEnd::failed;
        report.flows[i].outcome.error = "reason " + std::to_string(i);
    }
    EXPECT_THAT(failures(report), SizeIs(21));
}

}  // namespace
}  // namespace groma
