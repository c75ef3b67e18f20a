#include "sender/run/run_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

ClockProbe probe(std::int64_t t1, std::int64_t t2, std::int64_t t3, std::int64_t t4) {
    return {wall_time_from_ns(t1), wall_time_from_ns(t2), wall_time_from_ns(t3), wall_time_from_ns(t4), "beta", "boot"};
}

/// Two flows to two receivers; the second flow's receiver sent no results.
RunFacts two_receivers() {
    RunFacts facts;
    facts.metadata.run_id = "0123456789abcdef0123456789abcdef";
    facts.metadata.boot_id = "our boot";
    for (std::uint32_t id = 1; id <= 2; ++id) {
        const FlowReport flow = faithful_flow(id, "flow-" + std::to_string(id));
        facts.metadata.flows.push_back({flow.spec, flow.local_address, flow.remote_address});
        facts.outcomes.push_back(flow.outcome);
        ReceiverFacts receiver;
        receiver.address = SocketAddress::from_literal("10.0.0." + std::to_string(id + 1), 9000);
        receiver.flows = {flow.spec.id};
        receiver.opened.welcome.boot_id = "their boot";
        receiver.probes = {probe(0, 1050, 1060, 110)};
        facts.receivers.push_back(receiver);
    }
    facts.receivers[0].finished.results.flows = {*faithful_flow(1, "").received};
    facts.receivers[0].probes.push_back(probe(200, 1205, 1215, 220));
    facts.receivers[1].finished.error = "the receiver at 10.0.0.3:9000 closed the connection";
    return facts;
}

TEST(RunFacts, EachFlowMeetsTheResultsOfItsReceiver) {
    const SendReport report = make_report(two_receivers());
    ASSERT_THAT(report.flows, SizeIs(2));
    ASSERT_TRUE(report.flows[0].received);
    EXPECT_EQ(report.flows[0].received->packets, 10'000U);
    EXPECT_EQ(report.flows[0].remote_address, "10.0.0.2:5000");
    EXPECT_FALSE(report.flows[1].received);
}

TEST(RunFacts, AReceiverWithoutResultsIsReportedAsLost) {
    const SendReport report = make_report(two_receivers());
    EXPECT_EQ(report.receivers[0].lost, "");
    EXPECT_EQ(report.receivers[1].lost, "the receiver at 10.0.0.3:9000 closed the connection");
}

TEST(RunFacts, WhyAReceiverWasLostDuringTheRunGoesOverWhatFollowedFromIt) {
    RunFacts facts = two_receivers();
    facts.receivers[1].lost = "the receiver at 10.0.0.3:9000 was silent for 4 s";
    EXPECT_EQ(make_report(facts).receivers[1].lost, "the receiver at 10.0.0.3:9000 was silent for 4 s");
}

TEST(RunFacts, TheProbesTellTheOffsetAndWhatIsLeftOfItsError) {
    const SendReport report = make_report(two_receivers());
    ASSERT_TRUE(report.receivers[0].offset);
    EXPECT_NEAR(static_cast<double>(report.receivers[0].offset->offset.count()), 1000, 2);
    EXPECT_LT(report.receivers[0].offset->bound, Nanos(10));
    ASSERT_TRUE(report.receivers[1].offset);
    EXPECT_EQ(report.receivers[1].offset->probes, 1U);
    EXPECT_GE(report.receivers[1].offset->bound, Nanos(50));
}

TEST(RunFacts, ReceiversOnThisKernelHaveItsClockAndUnknownBootsAreNotTheSame) {
    RunFacts facts = two_receivers();
    facts.receivers[0].opened.welcome.boot_id = "our boot";
    EXPECT_TRUE(make_report(facts).receivers[0].same_clock);
    EXPECT_FALSE(make_report(facts).receivers[1].same_clock);
    facts.metadata.boot_id = facts.receivers[0].opened.welcome.boot_id = "";
    EXPECT_FALSE(make_report(facts).receivers[0].same_clock);
}

TEST(RunFacts, EachReceiverIsToldWhatWasSentToIt) {
    RunFacts facts = two_receivers();
    facts.interrupted = true;
    const std::vector<Finish> all = finishes(facts, std::chrono::seconds(3));
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_THAT(all[1].flows, ElementsAre(SentFlow{FlowId{2}, 10'000, 5'120'000}));
    EXPECT_TRUE(all[1].interrupted);
    EXPECT_EQ(all[1].wait, std::chrono::seconds(3));
}

TEST(RunFacts, ProbesOfAllReceiversAreKept) {
    EXPECT_THAT(all_probes(two_receivers()), SizeIs(3));
}

TEST(RunFacts, AFlowToSeveralReceiversHasTheResultsOfEachAndCountsThatOfTheWorst) {
    RunFacts facts = two_receivers();
    facts.metadata.flows.pop_back();
    facts.outcomes.pop_back();
    const ReceivedFlow all = *faithful_flow(1, "").received;
    ReceivedFlow some = all;
    some.packets -= 7;
    facts.receivers[1].flows = facts.receivers[0].flows;
    facts.receivers[1].finished.error.clear();
    facts.receivers[1].finished.results.flows = {some};
    const SendReport report = make_report(facts);
    ASSERT_THAT(report.flows, SizeIs(1));
    ASSERT_THAT(report.flows[0].receivers, SizeIs(2));
    EXPECT_EQ(report.flows[0].receivers[0].missing(10'000), 0U);
    EXPECT_EQ(report.flows[0].receivers[1].missing(10'000), 7U);
    EXPECT_EQ(report.flows[0].lost().number, 7U);
}

/// One flow to a receiver whose clock is about 1000 ns ahead, in a run of 200 ns.
RunFacts told_times() {
    RunFacts facts = two_receivers();
    facts.metadata.flows.pop_back();
    facts.outcomes.pop_back();
    facts.receivers.pop_back();
    facts.metadata.started_at = wall_time_from_ns(0);
    facts.elapsed = Nanos{200};
    ReceiverResults& results = facts.receivers[0].finished.results;
    results.flows[0].first_arrival = wall_time_from_ns(2'000'000);
    results.flows[0].last_arrival = wall_time_from_ns(3'000'000);
    results.flows[0].delays = ArrivalDelays{.packets = 9, .min = Nanos{6'000}, .p50 = Nanos{10}, .max = Nanos{50}};
    results.delays = results.flows[0].delays;
    return facts;
}

TEST(RunFacts, DelaysOfNoPacketsAreNone) {
    RunFacts facts = told_times();
    facts.receivers[0].finished.results.flows[0].delays->packets = 0;
    facts.receivers[0].finished.results.delays->packets = 0;
    const SendReport report = make_report(facts);
    EXPECT_FALSE(report.flows[0].received->delays);
    EXPECT_FALSE(report.flows[0].delay_bound);
    EXPECT_FALSE(report.delays);
}

TEST(RunFacts, TimesOfAReceiverAreToldByThisHostsClock) {
    const RunFacts facts = told_times();
    const SendReport report = make_report(facts);
    const OffsetReport& clock = *report.receivers[0].offset;
    const Nanos drift{std::llround(clock.skew_ppm * 1e-6 * 100)};
    const Nanos offset = clock.offset + drift;
    const FlowReport& flow = report.flows[0];
    EXPECT_EQ(flow.received->first_arrival, wall_time_from_ns(2'000'000) - offset);
    EXPECT_EQ(flow.received->last_arrival, wall_time_from_ns(3'000'000) - offset);
    EXPECT_EQ(flow.received->delays->min, Nanos{6'000} - offset);
    EXPECT_EQ(flow.received->delays->p50, Nanos{10});
    EXPECT_EQ(flow.delay_bound, clock.bound + std::chrono::abs(drift));
    EXPECT_EQ(report.delays, flow.received->delays);
}

TEST(RunFacts, OfOneClockTimesStayAsTheyAre) {
    RunFacts facts = told_times();
    facts.receivers[0].opened.welcome.boot_id = facts.metadata.boot_id;
    const SendReport report = make_report(facts);
    EXPECT_EQ(report.flows[0].received->delays->min, Nanos{6'000});
    EXPECT_EQ(report.flows[0].delay_bound, Nanos{0});
}

TEST(RunFacts, WithoutARelationOfTheClocksNoTimeIsKnown) {
    RunFacts no_probe = told_times();
    no_probe.receivers[0].probes.clear();
    RunFacts own_step = told_times();
    own_step.receivers[0].opened.welcome.boot_id = own_step.metadata.boot_id;
    own_step.own_steps.push_back({.at = wall_time_from_ns(100), .size = std::chrono::seconds(5)});
    for (const RunFacts& facts : {no_probe, own_step}) {
        const SendReport report = make_report(facts);
        EXPECT_EQ(report.flows[0].received->packets, 10'000U);
        EXPECT_EQ(report.flows[0].received->first_arrival, WallTime{});
        EXPECT_EQ(report.flows[0].received->delays, std::nullopt);
        EXPECT_EQ(report.flows[0].delay_bound, std::nullopt);
        EXPECT_EQ(report.delays, std::nullopt);
    }
}

TEST(RunFacts, DelaysOfSeveralReceiversAreNotPutTogether) {
    RunFacts facts = two_receivers();
    facts.receivers[0].finished.results.delays = ArrivalDelays{.packets = 1};
    EXPECT_EQ(make_report(facts).delays, std::nullopt);
}

TEST(RunFacts, OneReceiverOfAFlowMayHaveNoResults) {
    RunFacts facts = two_receivers();
    facts.metadata.flows.pop_back();
    facts.outcomes.pop_back();
    facts.receivers[1].flows = facts.receivers[0].flows;
    const SendReport report = make_report(facts);
    ASSERT_THAT(report.flows[0].receivers, SizeIs(2));
    EXPECT_FALSE(report.flows[0].receivers[1].received);
    EXPECT_FALSE(report.flows[0].lost().number) << "what the other got is unknown";
    EXPECT_EQ(report.flows[0].lost().at_least, 0U);
}

}  // namespace
}  // namespace groma
