#include "sender/search/trial_verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

SendReport trial(std::string_view required) {
    SendReport report = faithful_run();
    report.required = parse_requirements(required);
    return report;
}

void lose(SendReport& report, std::uint64_t packets) {
    report.flows.front().received->packets -= packets;
}

void send_at(SendReport& report, double pps) {
    set_rates(report.flows.front().outcome.fidelity, 1000, pps);
}

std::string undecided(const SendReport& report) {
    try {
        (void)judge_trial(report);
    } catch (const RunError& error) {
        return error.what();
    }
    return {};
}

TEST(TrialVerdict, ARateIsKeptWhenEverythingRequiredIsMet) {
    EXPECT_EQ(judge_trial(trial("loss=0")).result, TrialResult::kept);
    SendReport report = trial("loss=0.1%");
    lose(report, 10);
    EXPECT_EQ(judge_trial(report).result, TrialResult::kept);
    lose(report, 1);
    const TrialVerdict verdict = judge_trial(report);
    EXPECT_EQ(verdict.result, TrialResult::missed);
    EXPECT_EQ(verdict.why, "the share of packets lost of flow 'flow' is 0.11 %, at most 0.1 % is required");
}

TEST(TrialVerdict, SaysHowMuchTheReceiversHostDropped) {
    SendReport report = trial("loss=0");
    lose(report, 10);
    report.flows.front().received->kernel_drops = 7;
    EXPECT_THAT(judge_trial(report).why, HasSubstr("required (7 packets were dropped by a receiver's host"));
}

TEST(TrialVerdict, WhatThisHostDoesNotSendIsItsLimit) {
    SendReport report = trial("loss=0");
    send_at(report, 900);
    EXPECT_EQ(judge_trial(report).result, TrialResult::not_sendable);
    EXPECT_THAT(judge_trial(report).why, HasSubstr("10 % below the one asked for"));
    lose(report, 5);
    EXPECT_EQ(judge_trial(report).result, TrialResult::missed) << "the network loses packets all the same";

    report = trial("loss=0");
    report.flows.front().outcome.counts.cut_short = true;
    EXPECT_THAT(judge_trial(report).why, HasSubstr("cut short"));
    report = trial("loss=0");
    report.flows.front().outcome.counts.dropped = 3;
    EXPECT_THAT(judge_trial(report).why, HasSubstr("3 packets could not be sent"));
    report = trial("loss=0");
    report.flows.front().outcome.fidelity.lateness_ns.add(50'000'000, 1000);
    EXPECT_EQ(judge_trial(report).result, TrialResult::not_sendable);
}

TEST(TrialVerdict, ARequirementOnSendingTakesThePlaceOfTheUsualOne) {
    SendReport report = trial("loss=0,rate=20%,lateness-max=1s");
    send_at(report, 900);
    report.flows.front().outcome.fidelity.lateness_ns.add(50'000'000, 1000);
    EXPECT_EQ(judge_trial(report).result, TrialResult::kept);
    report.required = parse_requirements("loss=0,rate=1%,lateness-max=1s");
    EXPECT_EQ(judge_trial(report).result, TrialResult::not_sendable);
    EXPECT_THAT(judge_trial(report).why, HasSubstr("the rate error"));
}

TEST(TrialVerdict, DelaysDecideWhereTheyAreKnown) {
    SendReport report = trial("delay-p99=1ms");
    report.flows.front().received->delays =
        ArrivalDelays{.packets = 10'000, .min = Nanos(400'000), .p99 = Nanos(500'000)};
    EXPECT_EQ(judge_trial(report).result, TrialResult::kept);
    report.flows.front().received->delays->p99 = Nanos(700'000);
    EXPECT_EQ(judge_trial(report).why, "the p99 of delay of flow 'flow' is 1100 us, at most 1000 us is required");
}

TEST(TrialVerdict, OfSeveralReceiversTheSlowestDecides) {
    SendReport report = trial("delay-max=1ms");
    FlowReport& flow = report.flows.front();
    flow.received->delays = ArrivalDelays{.packets = 10'000, .max = Nanos(500'000)};
    flow.receivers = {{.address = "b", .received = flow.received}, {.address = "c", .received = flow.received}};
    EXPECT_EQ(judge_trial(report).result, TrialResult::kept);
    flow.receivers.back().received->delays->max = Nanos(2'000'000);
    EXPECT_EQ(judge_trial(report).result, TrialResult::missed);
}

TEST(TrialVerdict, AFigureThatIsUnknownIsAnErrorWithItsReason) {
    EXPECT_THAT(undecided(trial("delay-p99=1ms")), HasSubstr("the p99 of delay of flow 'flow' is not known because the "
                                                             "clocks are not related"));
    EXPECT_THAT(undecided(trial("rtt-p99=1ms")), HasSubstr("is not known of any flow"));
    SendReport late = trial("delay-p99=1ms");
    send_at(late, 900);
    EXPECT_THAT(undecided(late), HasSubstr("is not known")) << "also where this host is at its limit";
    SendReport lossy = trial("rtt-p99=1ms,loss=0");
    lose(lossy, 1);
    EXPECT_THAT(undecided(lossy), HasSubstr("is not known of any flow")) << "at no rate";
    lossy = trial("delay-p99=1ms,loss=0");
    lose(lossy, 1);
    EXPECT_EQ(judge_trial(lossy).result, TrialResult::missed) << "another requirement decides";
    SendReport silent = trial("loss=0");
    silent.flows.front().received.reset();
    EXPECT_THAT(undecided(silent), HasSubstr("is not known"));
}

TEST(TrialVerdict, RoundTripsHaveTheirFigures) {
    SendReport report = trial("rtt-p99=200us");
    report.flows.front() = round_trip_flow(1, "flow");
    EXPECT_EQ(judge_trial(report).result, TrialResult::kept);
    report.required = parse_requirements("rtt-p50=50us");
    EXPECT_EQ(judge_trial(report).result, TrialResult::missed);
}

TEST(TrialVerdict, AFlowThatLostEverythingMissesAndARunThatDidDecidesNothing) {
    SendReport report = faithful_run({"a", "b"});
    report.required = parse_requirements("delay-p99=1ms");
    for (FlowReport& flow : report.flows) {
        flow.received->delays = ArrivalDelays{.packets = 10'000};
    }
    report.flows[1].received = ReceivedFlow{.flow = FlowId{2}, .state = "ok"};
    EXPECT_EQ(judge_trial(report).result, TrialResult::missed);
    report.flows[0].received = ReceivedFlow{.flow = FlowId{1}, .state = "ok"};
    EXPECT_THAT(undecided(report), HasSubstr("NOTHING ARRIVED"));
}

TEST(TrialVerdict, CountsThatContradictWhatWasSentDecideNothing) {
    SendReport report = trial("loss=0");
    report.flows.front().received->packets += 1;
    EXPECT_THAT(undecided(report), HasSubstr("contradict what was sent"));
}

TEST(TrialVerdict, WhatFailedDecidesNothing) {
    SendReport report = trial("loss=0");
    report.receivers.front().lost = "it went away";
    EXPECT_THAT(undecided(report), HasSubstr("10.0.0.2:9000: it went away"));
    report = trial("loss=0");
    report.flows.front().outcome.counts.end = FlowEnd::failed;
    report.flows.front().outcome.error = "no route";
    EXPECT_THAT(undecided(report), HasSubstr("flow 'flow' failed: no route"));
}

}  // namespace
}  // namespace groma
