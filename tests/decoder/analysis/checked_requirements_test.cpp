#include "decoder/analysis/checked_requirements.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "common/model/distributions/sampler.hpp"
#include "common/stats/fidelity/fidelity_sum.hpp"
#include "decoder/analysis/run_analysis.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

/// Of a flow with exponential gaps of a millisecond, each packet up to 10 us late.
SampleLog exponential_log(std::uint32_t flows, unsigned packets) {
    SampleLog log = empty_log(LogRole::sender, flows);
    for (FlowSetup& setup : log.metadata.flows) {
        setup.spec.idt = Exponential{1e6};
        Sampler gaps(setup.spec.idt, setup.spec.id.value);
        std::vector<SentRecord> records;
        double time = 0;
        for (unsigned i = 0; i < packets; ++i) {
            const Nanos lateness{(i * 7919) % 10'000};
            records.push_back(sent_packet(i, std::llround(time) + lateness.count()));
            records.back().lateness = lateness;
            time += gaps.draw();
        }
        log.sent.emplace_back(setup.spec.id, std::move(records));
    }
    close(log);
    return log;
}

TEST(Requirements, ComparesGapsWithWhatWasAskedForAsTheSenderDoes) {
    const SampleLog log = exponential_log(2, 500);
    const RunResult run = analyze({log.source("send.glog")}, {}).runs.at(0);
    FidelitySum sum;
    for (std::size_t i = 0; i < 2; ++i) {
        FidelityMeter meter(GapModels().of(log.metadata.flows[i].spec));
        meter.add(log.sent[i].second);
        sum.add(meter.result());
        const Fidelity& found = run.flows.at(i).sent->fidelity;
        ASSERT_TRUE(found.fit);
        EXPECT_EQ(found.fit, meter.result().fit);
        EXPECT_EQ(found.gap_error_ns.bins(), meter.result().gap_error_ns.bins());
    }
    ASSERT_TRUE(run.total.sent);
    EXPECT_EQ(run.total.sent->fidelity.fit, sum.result().fit);
    EXPECT_EQ(run.total.sent->fidelity.fit->gaps, 998U);
}

TEST(Requirements, JudgesWhatIsRequired) {
    AnalysisOptions options;
    options.required = parse_requirements("lateness-max=10us,gap-max=1us,unsent=0,loss=0");
    SampleLog log = exponential_log(1, 500);
    log.totals->flows[0].counters = {{"dropped", 0}, {"too_big", 0}, {"given_up", 0}};
    const RunResult run = analyze({log.source("send.glog")}, options).runs.at(0);
    ASSERT_EQ(run.requirements.size(), 4U);
    EXPECT_TRUE(run.requirements[0].met);
    EXPECT_FALSE(run.requirements[1].met);
    EXPECT_TRUE(run.requirements[2].met);
    EXPECT_FALSE(run.requirements[3].met);  // unknown without the receiver's log
    EXPECT_FALSE(run.requirements[3].worst);
}

TEST(Requirements, WithoutTheSendersLogNothingRequiredIsKnown) {
    AnalysisOptions options;
    options.required = parse_requirements("rate=100%,lambda2=1000");
    const RunResult run = analyze({small_pair().receiver.source("recv.glog")}, options).runs.at(0);
    EXPECT_FALSE(run.requirements.at(0).met);
    EXPECT_FALSE(run.requirements.at(1).met);
}

TEST(Requirements, DelaysAndJitterAreThoseOfTheFlow) {
    AnalysisOptions options;
    options.required = parse_requirements("delay-p50=1min,delay-max=1min,jitter=1min,rtt-max=1min");
    const SamplePair pair = small_pair();
    const RunResult run =
        analyze({pair.sender.source("send.glog"), pair.receiver.source("recv.glog")}, options).runs.at(0);
    const ReceivedFigures& received = *run.flows.at(0).received;
    EXPECT_EQ(run.requirements.at(0).worst, static_cast<double>(received.delay_ns.p50));
    EXPECT_EQ(run.requirements.at(1).worst, static_cast<double>(received.delay_ns.max));
    EXPECT_EQ(run.requirements.at(2).worst, received.jitter_rfc3550_mean_ns);
    EXPECT_TRUE(run.requirements.at(2).met);
    EXPECT_FALSE(run.requirements.at(3).met) << "it goes one way";
    const RunResult alone = analyze({pair.sender.source("send.glog")}, options).runs.at(0);
    EXPECT_FALSE(alone.requirements.at(0).met);
    EXPECT_EQ(alone.requirements.at(0).why_unknown, "because the receiver's log is not there");
}

/// Every other departure of a flow with a gap of 1 ms was refused by the sender's host.
SampleLog half_refused() {
    SampleLog log = empty_log(LogRole::sender);
    std::vector<SentRecord> sent;
    for (std::uint64_t i = 0; i < 11; ++i) {
        sent.push_back(sent_packet(2 * i, static_cast<std::int64_t>(2'000'000 * i)));
    }
    log.sent = {{FlowId{1}, sent}};
    close(log);
    log.totals->flows[0].counters = {{"dropped", 10},     {"too_big", 0},         {"given_up", 0},
                                     {"missed_slots", 0}, {"unsent_between", 10}, {"ended_early", 0}};
    return log;
}

TEST(Requirements, TheRateIsJudgedAgainstTheDeparturesThatCouldNotBeSentToo) {
    AnalysisOptions options;
    options.required = parse_requirements("rate=1%");
    const RunResult run = analyze({half_refused().source("send.glog")}, options).runs.at(0);
    EXPECT_DOUBLE_EQ(run.flows[0].sent->fidelity.scheduled_pps().value(), 1000);
    EXPECT_DOUBLE_EQ(run.flows[0].sent->fidelity.sent_pps().value(), 500);
    EXPECT_FALSE(run.requirements[0].met);
    EXPECT_EQ(run.requirements[0].worst, 0.5);
}

TEST(Requirements, WhatWasStillDueOfAFlowThatWasCutShortIsNotKnown) {
    SampleLog log = half_refused();
    AnalysisOptions options;
    options.required = parse_requirements("unsent=10,missed=0");
    for (const std::uint64_t early : {0U, 1U}) {
        log.totals->flows[0].counters.back() = {"ended_early", early};
        const RunResult run = analyze({log.source("send.glog")}, options).runs.at(0);
        ASSERT_EQ(run.requirements.size(), 2U);
        for (const CheckedRequirement& one : run.requirements) {
            EXPECT_EQ(one.met, early == 0) << one.sentence();
        }
    }
}

TEST(Requirements, AFlowOfWhichNothingWasSentMeetsNoRequirement) {
    SampleLog log = empty_log(LogRole::sender, 2);
    log.sent = {{FlowId{1}, {sent_packet(0, 0), sent_packet(1, 1'000'000)}}};
    close(log);
    const std::vector<std::pair<std::string, std::uint64_t>> none{
        {"dropped", 0}, {"too_big", 0}, {"given_up", 0}, {"missed_slots", 0}, {"unsent_between", 0}};
    AnalysisOptions options;
    options.required = parse_requirements("rate=1%,lateness-max=1s,unsent=0,missed=0,behind=1s");
    for (const std::uint64_t early : {0U, 1U}) {
        for (FlowTotals& flow : log.totals->flows) {
            flow.counters = none;
            flow.counters.emplace_back("ended_early", early);
        }
        const Results results = analyze({log.source("send.glog")}, options);
        ASSERT_EQ(results.runs.at(0).requirements.size(), options.required.size());
        for (const CheckedRequirement& one : results.runs[0].requirements) {
            EXPECT_EQ(one.met, early == 0) << one.sentence();  // then its schedule had no departure
        }
    }
}

}  // namespace
}  // namespace groma
