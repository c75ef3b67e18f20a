#include "sender/report/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

FlowOutcome sent(double pps, std::int64_t p99_lateness_ns) {
    FlowOutcome outcome = faithful_flow(1, "flow").outcome;
    set_rates(outcome.fidelity, 1000, pps);
    outcome.fidelity.lateness_ns = LogHistogram();
    outcome.fidelity.lateness_ns.add(p99_lateness_ns, 10'000);
    return outcome;
}

TEST(Verdict, AFlowOnTimeAndAtItsRateIsAsAsked) {
    EXPECT_EQ(judge(sent(1000, 2000)).result, Faithfulness::as_asked);
    EXPECT_EQ(judge(sent(1000, 2000)).text, "as asked");
}

TEST(Verdict, ATenthOfTheGapIsAllowedWhenThatIsMoreThanTheFloor) {
    FlowOutcome slow = sent(1000, 900'000);
    set_rates(slow.fidelity, 100, 100);
    EXPECT_EQ(judge(slow).result, Faithfulness::as_asked);
    EXPECT_EQ(judge(sent(1000, 100'000)).result, Faithfulness::as_asked);
}

TEST(Verdict, ALittleLatenessIsSaidWithItsSize) {
    const Verdict verdict = judge(sent(1000, 500'000));
    EXPECT_EQ(verdict.result, Faithfulness::within);
    EXPECT_THAT(verdict.text, HasSubstr("as asked within 50"));
    EXPECT_THAT(verdict.text, HasSubstr("us"));
}

TEST(Verdict, MuchLatenessIsNotAsAsked) {
    const Verdict verdict = judge(sent(1000, 5'000'000));
    EXPECT_EQ(verdict.result, Faithfulness::not_as_asked);
    EXPECT_THAT(verdict.text, HasSubstr("100 us is allowed"));
}

TEST(Verdict, ARateThatIsOffIsSaidInPercentAndWhichWay) {
    EXPECT_EQ(judge(sent(996, 2000)).text, "as asked within 0.4 % of the rate");
    EXPECT_EQ(judge(sent(880, 2000)).text, "not as asked: the rate sent was 12 % below the one asked for");
    EXPECT_EQ(judge(sent(1100, 2000)).text, "not as asked: the rate sent was 10 % above the one asked for");
}

TEST(Verdict, MissedDeparturesAreNotAsAskedHoweverPunctualTheOthersWere) {
    FlowOutcome skipping = sent(1000, 2000);
    skipping.counts.missed_slots = 3;
    EXPECT_EQ(judge(skipping).text, "not as asked: 3 departures were missed and not sent");
}

TEST(Verdict, PacketsWhoseLatenessNobodyKnowsMayHaveBeenTheLateOnes) {
    FlowOutcome outcome = sent(1000, 2000);
    outcome.fidelity.count_unmetered(10'050, 5'120'000);  // 50 have no record
    EXPECT_EQ(judge(outcome).result, Faithfulness::as_asked);
    outcome.fidelity.lateness_ns.add(700'000, 60);  // not 1 % of all, but with those that are not known
    outcome.fidelity.count_unmetered(10'150, 5'120'000);
    EXPECT_EQ(judge(outcome).result, Faithfulness::within);
    outcome.fidelity.count_unmetered(11'000, 5'120'000);
    EXPECT_EQ(judge(outcome).text,
              "not as asked: it is unknown how late 940 of 11000 packets left, because their records are missing");
    outcome.fidelity.lateness_ns = {};
    EXPECT_EQ(judge(outcome).result, Faithfulness::not_as_asked);
}

TEST(Verdict, AFlowThatWasShiftedIsJudgedByTheScheduleThatWasAskedFor) {
    // 1000 packets a millisecond apart, of which each left 20 us later than the one before it should have made it.
    FidelityMeter meter;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Nanos shifted(static_cast<std::int64_t>(i) * 20'000);
        const Nanos due(static_cast<std::int64_t>(i) * 1'000'000);
        meter.add(SentRecord{
            .seq = i, .sent_at = wall_time_from_ns(0) + due + shifted, .lateness = shifted, .size = 100, .batch = 1});
    }
    FlowOutcome outcome;
    outcome.fidelity = meter.result();
    EXPECT_NEAR(outcome.fidelity.rate_error().value(), 1 - 1 / 1.02, 1e-6);
    EXPECT_LT(outcome.fidelity.gap_error_ns.max(), 25'000);  // its gaps were kept
    EXPECT_EQ(judge(outcome).result, Faithfulness::not_as_asked);
}

TEST(Verdict, PacketsThatAQueueOfThisHostThrewAwayAreNotAsAsked) {
    FlowOutcome held = sent(1000, 2000);
    held.counts.missed_in_queue = 2;
    EXPECT_EQ(judge(held).text, "not as asked: 2 packets could not be sent");
}

TEST(Verdict, AShortFlowIsNotJudgedByARateThatOneLatePacketExplains) {
    FlowOutcome few = sent(1000, 50'000);
    few.fidelity.packets = 10;
    set_rates(few.fidelity, 1000, 1000 / 1.005);
    EXPECT_EQ(judge(few).result, Faithfulness::as_asked);
}

TEST(Verdict, OnePacketHasNoRateAndIsJudgedByItsLateness) {
    FlowOutcome one = sent(1000, 2000);
    one.fidelity.packets = 1;
    one.fidelity.scheduled = one.fidelity.sent = {Nanos{0}, Nanos{0}};
    EXPECT_EQ(judge(one).result, Faithfulness::as_asked);
}

TEST(Verdict, ARateThatIsUnknownIsNotAsAsked) {
    FlowOutcome unknown = sent(1000, 2000);
    unknown.fidelity.sent = {};
    EXPECT_EQ(judge(unknown).text,
              "not as asked: its rate is unknown, because it is not known when its first or last packet left "
              "(records are missing, or the clock was set)");
}

TEST(Verdict, NothingSentAtAllDoesNotBreakIt) {
    EXPECT_EQ(judge(FlowOutcome()).result, Faithfulness::as_asked);
}

TEST(Verdict, PacketsThatCouldNotBeSentAreNotAsAsked) {
    FlowOutcome outcome = sent(1000, 2000);
    outcome.counts.dropped = 2;
    outcome.counts.too_big = 1;
    EXPECT_EQ(judge(outcome).text, "not as asked: 3 packets could not be sent");
}

TEST(Verdict, TheReasonOfAFailureIsTheVerdict) {
    FlowOutcome outcome = sent(1000, 2000);
    outcome.counts.end = FlowEnd::failed;
    outcome.error = "connection reset";
    EXPECT_EQ(judge(outcome).text, "not as asked: connection reset");
    outcome.counts.end = FlowEnd::interrupted;
    EXPECT_EQ(judge(outcome).result, Faithfulness::not_as_asked);
    outcome.counts.end = FlowEnd::complete;
    outcome.counts.cut_short = true;
    EXPECT_EQ(judge(outcome).result, Faithfulness::not_as_asked);
}

TEST(Verdict, GoodFlowsDoNotHideABadOne) {
    SendReport report = faithful_run({"a", "b", "c"});
    EXPECT_EQ(judge(report.flows).text, "as asked");
    set_rates(report.flows[1].outcome.fidelity, 1000, 880);
    const Verdict verdict = judge(report.flows);
    EXPECT_EQ(verdict.result, Faithfulness::not_as_asked);
    EXPECT_THAT(verdict.text, HasSubstr("(flow 'b', the worst; 2 of 3 flows were as asked)"));
}

TEST(Verdict, HasAWordForPrograms) {
    EXPECT_EQ(to_string(Faithfulness::as_asked), "as_asked");
    EXPECT_EQ(to_string(Faithfulness::within), "within");
    EXPECT_EQ(to_string(Faithfulness::not_as_asked), "not_as_asked");
}

TEST(Verdict, WhatWasRequiredAndNotMetIsNotAsAsked) {
    SendReport report = faithful_run({"a", "b"});
    report.required = parse_requirements("lateness-p99=3us,loss=0");
    EXPECT_EQ(judge(report).result, Faithfulness::as_asked);
    report.flows[1].received->packets -= 100;
    report.required = parse_requirements("lateness-p99=1us,loss=0");
    const Verdict verdict = judge(report);
    EXPECT_EQ(verdict.result, Faithfulness::not_as_asked);
    EXPECT_EQ(
        verdict.text,
        "not as asked: the p99 of lateness of flow 'a' is 2 us, at most 1 us is required (2 flows are beyond it), "
        "and 1 more");
}

SendReport report_of(FlowReport flow) {
    SendReport report;
    report.flows.push_back(std::move(flow));
    return report;
}

TEST(Verdict, ForgedPacketsAreNotAsAskedThoughNoneWasMeasured) {
    FlowReport flow = round_trip_flow(1, "voice");
    flow.spec.seal = Sealing::on;
    flow.received->foreign = 7;
    flow.outcome.round_trip->malformed = 8;
    EXPECT_EQ(judge(report_of(flow)).result, Faithfulness::as_asked) << "strangers cannot make a seal";
    flow.received->forged = 2;
    flow.outcome.round_trip->forged = 1;
    EXPECT_EQ(judge(report_of(flow)).result, Faithfulness::not_as_asked);
    EXPECT_THAT(judge(report_of(flow)).text, HasSubstr("3 forged packets came in, none of which was measured"));
}

TEST(Verdict, StrangersAtAFlowWithoutASealAreNotAsAsked) {
    for (const auto what : {&ReceivedFlow::foreign, &ReceivedFlow::malformed}) {
        FlowReport flow = faithful_flow(1, "voice");
        (*flow.received).*what = 3;
        EXPECT_EQ(judge(report_of(flow)).result, Faithfulness::not_as_asked);
        EXPECT_THAT(judge(report_of(flow)).text, HasSubstr("3 packets of others came in, who can forge those"));
    }
}

TEST(Verdict, WhatContradictsWhatWasSentIsNotAsAsked) {
    FlowReport flow = faithful_flow(1, "voice");
    flow.received->packets += 3;
    flow.received->bytes += 3 * 512;
    EXPECT_EQ(judge(report_of(flow)).result, Faithfulness::not_as_asked);
    EXPECT_THAT(judge(report_of(flow)).text, HasSubstr("10003 packets arrived, 10000 were sent"));
}

TEST(Verdict, ABoundOfTheLossMeetsNoRequirement) {
    SendReport report = faithful_run();
    report.required = parse_requirements("loss=1%");
    EXPECT_EQ(judge(report).result, Faithfulness::as_asked);
    report.flows[0].outcome.counts.unnumbered = 1;
    EXPECT_EQ(judge(report).result, Faithfulness::not_as_asked);
    EXPECT_THAT(judge(report).text,
                testing::HasSubstr("is not known because it has packets without a sequence number"));
}

TEST(Verdict, WhatHadNoScheduleWasSentAsFastAsPossible) {
    SendReport report = faithful_run({});
    report.flows = {greedy_report(1, "bulk"), greedy_report(2, "more")};
    EXPECT_EQ(judge(report).result, Faithfulness::as_asked);
    EXPECT_EQ(judge(report).text, "as fast as possible");
    report.flows.push_back(faithful_flow(3, "steady"));
    EXPECT_EQ(judge(report).text, "as asked");
    report.flows[0].outcome.counts.dropped = 3;
    EXPECT_EQ(judge(report).text.find("not as asked: 3 packets could not be sent (flow 'bulk'"), 0U);
}

}  // namespace
}  // namespace groma
