#include "decoder/analysis/conclusions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/stats/fidelity/missing_fit.hpp"
#include "decoder/results/run_verdict.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

TEST(Total, AddsUpFlowsThatRanSideBySide) {
    SamplePair pair;
    pair.sender = empty_log(LogRole::sender, 2);
    pair.receiver = empty_log(LogRole::receiver, 2);
    pair.sender.sent = {{FlowId{1}, {sent_packet(0, 0), sent_packet(1, 1'000'000'000)}},
                        {FlowId{2}, {sent_packet(0, 500'000'000), sent_packet(1, 2'000'000'000)}}};
    pair.receiver.received = {{FlowId{1}, {received_packet(0, 0, 100), received_packet(1, 1'000'000'000, 300)}},
                              {FlowId{2}, {received_packet(1, 2'000'000'000, 100)}}};
    close(pair.sender);
    close(pair.receiver);
    const Results results = pair.analyzed();
    const TotalResult& total = results.runs.front().total;
    EXPECT_EQ(total.sent->packets, 4U);
    EXPECT_EQ(total.received->packets, 3U);
    EXPECT_EQ(total.loss.packets, 1U);
    EXPECT_EQ(total.received->duration(), Nanos{2'000'000'000});
    EXPECT_DOUBLE_EQ(total.received->throughput_bps().value(), 2 / 2.0 * 500 * 8);
    EXPECT_EQ(total.received->delay_ns.count, 3U);
    EXPECT_DOUBLE_EQ(total.received->jitter_ditg_ns.value(), 200);
    const auto rows = total.series.rows();
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].sent_packets, 2U);
    EXPECT_EQ(rows[0].lost, 1U);
}

TEST(Total, HasADistributionToCompareOnlyIfAllItsFlowsHave) {
    std::vector<SentRecord> sent;
    for (std::uint64_t seq = 0; seq < 25; ++seq) {
        sent.push_back(sent_packet(seq, static_cast<std::int64_t>(seq * seq) * 10'000));
    }
    SampleLog log = empty_log(LogRole::sender, 2);
    log.metadata.flows[0].spec.idt = Exponential{250'000};
    log.metadata.flows[1].spec.name = "steady";
    log.sent = {{FlowId{1}, sent}, {FlowId{2}, {sent.begin(), sent.begin() + 20}}};
    close(log);
    const SentFigures few = *analyze({log.source("s")}, {}).runs.front().total.sent;
    EXPECT_EQ(few.fidelity.fit->gaps, 24U);
    EXPECT_EQ(few.no_fit_because, "");
    log.sent[1].second = sent;
    close(log);
    const SentFigures many = *analyze({log.source("s")}, {}).runs.front().total.sent;
    EXPECT_FALSE(many.fidelity.fit);
    EXPECT_THAT(many.no_fit_because, testing::StartsWith("flow 'steady' has none: the gaps that were asked for are "));
}

TEST(Total, WhatHadNoScheduleHasNoAskedRateAndSaysWhy) {
    SamplePair pair = small_pair();
    for (SampleLog* log : {&pair.sender, &pair.receiver}) {
        log->metadata.flows.front().spec.idt = Greedy{};
    }
    const Results results = pair.analyzed();
    const RunResult& run = results.runs.front();
    const FlowResult& flow = run.flows.front();
    EXPECT_TRUE(flow.sent->fidelity.greedy);
    EXPECT_GT(flow.sent->packets, 1U);
    EXPECT_TRUE(flow.sent->fidelity.sent_pps());
    EXPECT_FALSE(flow.sent->fidelity.scheduled_pps());
    EXPECT_FALSE(flow.sent->fidelity.fit);
    EXPECT_EQ(flow.sent->fidelity.lateness_ns.count(), 0U);
    EXPECT_TRUE(flow.sent->scales.empty());
    EXPECT_FALSE(flow.received->scheduled_delay_ns.known);
    EXPECT_FALSE(flow.schedule_forgotten);
    EXPECT_EQ(flow.sent->no_fit_because, why_no_schedule(flow.sent->fidelity));
    EXPECT_FALSE(run.total.sent->fidelity.scheduled_pps());
    EXPECT_EQ(judge(run).text, "as fast as possible");
}

/// The small pair, on one kernel, with arrivals that the interface stamped.
SamplePair stamped_by_hardware() {
    SamplePair pair = small_pair();
    for (SampleLog* log : {&pair.sender, &pair.receiver}) {
        log->metadata.flows.front().spec.options.arrival_stamps = StampSource::hardware;
    }
    pair.receiver.metadata.timestamps = "hardware";
    return pair;
}

TEST(Conclusions, OfArrivalsWithTheInterfacesClockHaveRelativeDelays) {
    SamplePair pair = stamped_by_hardware();
    for (auto& record : pair.receiver.received.front().second) {
        record.received_at += Nanos{37'000'000'000};  // TAI
    }
    const Results results = pair.analyzed();
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.clock.kind, ClockState::Kind::interface);
    EXPECT_EQ(flow.received->delay_ns.min, 0);
    EXPECT_EQ(flow.received->delay_ns.max, 2'000'000);
    EXPECT_EQ(flow.received->arrivals.first, Nanos{0}) << "as the first departure";
    EXPECT_EQ(flow.series.rows().size(), 1U);
    EXPECT_EQ(results.runs.front().total.received->delay_ns.count, 0U);
    const Results alone = analyze({pair.receiver.source("recv.glog")}, {});
    EXPECT_EQ(only_flow(alone).clock.kind, ClockState::Kind::interface);
}

TEST(Conclusions, TimesOfTwoClocksAreNotMixedInOneFigure) {
    SamplePair pair = stamped_by_hardware();
    pair.receiver.totals->flows.front().counters.emplace_back("unstamped_packets", 1);
    for (const bool selected : {false, true}) {
        AnalysisOptions options;
        options.cut.from = selected ? std::optional(Nanos{0}) : std::nullopt;
        const Results results = pair.analyzed(options);
        const ReceivedFigures& received = *only_flow(results).received;
        EXPECT_EQ(received.delay_ns.count + received.pdv_ns.count + received.ipdv_ns.count + received.gaps_ns.count,
                  0U);
        EXPECT_FALSE(received.jitter_ditg_ns or received.jitter_rfc3550_ns or received.jitter_rfc3550_max_ns);
        EXPECT_FALSE(received.packet_rate_pps());
        EXPECT_EQ(received.packets, 3U);
        EXPECT_FALSE(only_flow(results).series.rows().at(0).received_packets);
        EXPECT_FALSE(only_flow(results).series.rows().at(0).jitter_ns);
        EXPECT_EQ(results.runs.front().total.received->pdv_ns.count, 0U);
        EXPECT_THAT(only_flow(results).notes, testing::Contains(testing::HasSubstr("of 1 packet are the host's")));
    }
}

TEST(Conclusions, WhatIsBetweenArrivalsIsUnknownWhereTheClockThatTellsThemWasSet) {
    SamplePair pair = small_pair();
    pair.sender.events = {{wall_time_from_ns(kStartNs + 15'000'000), std::nullopt, "clock-stepped", "set"}};
    const auto at = [](std::int64_t ns) { return wall_time_from_ns(kStartNs + ns); };
    pair.sender.probes = {{at(0), at(1'000), at(1'100), at(2'100), "beta", "another boot"},
                          {at(30'000'000), at(30'001'000), at(30'001'100), at(30'002'100), "beta", "another boot"}};
    for (const bool one_clock : {true, false}) {
        pair.receiver.metadata.boot_id = one_clock ? "one-boot" : "another boot";
        const Results results = pair.analyzed();
        const FlowResult& flow = only_flow(results);
        EXPECT_TRUE(flow.clock.absolute());
        EXPECT_FALSE(flow.received->packet_rate_pps() or flow.received->duration() or flow.received->gaps_ns.known);
        EXPECT_FALSE(flow.series.rows().at(0).packet_rate_pps);
        EXPECT_FALSE(results.runs.front().total.received->throughput_bps());
        EXPECT_EQ(flow.received->delay_ns.count, 2U);
        const std::string why = one_clock ? "the clock of both sides was set" : "the sender's clock was set";
        EXPECT_THAT(flow.notes,
                    testing::IsSupersetOf({testing::HasSubstr("duration and rates: unknown, because " + why),
                                           testing::HasSubstr("arrival gaps: unknown, because " + why)}));
    }
    std::swap(pair.receiver.events, pair.sender.events);
    const Results by_probes = pair.analyzed();
    EXPECT_TRUE(only_flow(by_probes).received->packet_rate_pps()) << "arrivals are told by the sender's clock";
    pair.sender.probes.clear();
    const Results relative = pair.analyzed();
    EXPECT_EQ(only_flow(relative).received->rates_unknown_because, "the receiver's clock was set during the run");
}

TEST(Conclusions, SayWhereTheModelOfTheLossIntervalWasNotTested) {
    for (const std::uint64_t distance : {1'000U, 10U}) {  // no run of received packets is of one, or of few
        std::vector<SentRecord> sent;
        std::vector<ReceivedRecord> received;
        for (std::uint64_t seq = 0; seq < 20 * distance; ++seq) {
            sent.push_back(sent_packet(seq, static_cast<std::int64_t>(seq) * 1'000));
            if (seq % distance != 5) {
                received.push_back(received_packet(seq, static_cast<std::int64_t>(seq) * 1'000, 1));
            }
        }
        const Results results = pair_of(std::move(sent), std::move(received)).analyzed();
        const LossPatternCounts& counts = *only_flow(results).loss_pattern.counts;
        ASSERT_TRUE(counts.interval());
        EXPECT_EQ(counts.gilbert_chance().has_value(), distance == 10);
        const auto untested =
            testing::Contains(testing::HasSubstr("it was not tested whether it is that of a Gilbert"));
        EXPECT_EQ(testing::Value(only_flow(results).notes, untested), distance != 10);
    }
}

TEST(Conclusions, TimesFromTheScheduleAreUnknownWherePacketsThatWereDueStayed) {
    AnalysisOptions options;
    options.thorough = true;
    SamplePair pair = small_pair();
    const Results all_left = pair.analyzed(options);
    EXPECT_EQ(only_flow(all_left).received->scheduled_delay_ns.count, 2U);
    pair.sender.totals->flows.front().counters.emplace_back("unsent_between", 2);
    const Results some_stayed = pair.analyzed(options);
    EXPECT_FALSE(only_flow(some_stayed).received->scheduled_delay_ns.known);
    EXPECT_EQ(only_flow(some_stayed).received->delay_ns.count, 2U);
    EXPECT_FALSE(some_stayed.runs.front().total.received->scheduled_delay_ns.known);
    EXPECT_THAT(only_flow(some_stayed).notes,
                testing::Contains(testing::HasSubstr(
                    "times from the schedule: unknown, because packets that were due did not leave")));
    const Results not_asked_for = pair.analyzed();
    EXPECT_THAT(only_flow(not_asked_for).notes, testing::Not(testing::Contains(testing::HasSubstr("schedule"))));
}

TEST(Conclusions, WhatStrangersSentIsNotAsAsked) {
    const auto judged = [](const char* counter, Sealing seal) {
        SamplePair pair = small_pair();
        for (SampleLog* const log : {&pair.sender, &pair.receiver}) {
            log->metadata.flows.front().spec.seal = seal;
        }
        pair.receiver.totals->flows.front().counters.emplace_back(counter, 5);
        return judge(only_flow(pair.analyzed())).value();
    };
    const Judgement without = judged("unstamped_packets", Sealing::on);
    for (const char* const counter : {"foreign_packets", "malformed_packets"}) {
        EXPECT_EQ(judged(counter, Sealing::off).text,
                  "not as asked: 5 packets of others came in, who can forge those of flows without a seal (--key, or "
                  "--seal on)");
        EXPECT_EQ(judged(counter, Sealing::on).text, without.text) << "they cannot make a seal";
    }
    EXPECT_EQ(judged("forged_packets", Sealing::on).text,
              "not as asked: 5 forged packets came in, none of which was measured");
}

TEST(Conclusions, WithoutAHeaderDelaysAreUnknownAndTheReasonIsTheHeader) {
    SamplePair pair = small_pair();
    for (SampleLog* const log : {&pair.sender, &pair.receiver}) {
        log->metadata.flows.front().spec.header = HeaderLevel::none;
    }
    for (ReceivedRecord& record : pair.receiver.received.front().second) {
        record.seq = ReceivedRecord::kNoSeq;
        record.sent_at = ReceivedRecord::kNoTime;
    }
    const Results results = pair.analyzed();
    EXPECT_FALSE(only_flow(results).received->delay_ns.known) << "as in groma-send";
    EXPECT_FALSE(results.runs.front().total.received->delay_ns.known);
    EXPECT_THAT(only_flow(results).notes,
                testing::Contains("delay and jitter: 3 packets are left out: --header none leaves out the time when "
                                  "they left"));
}

TEST(Conclusions, APacketThatClocksPutBeforeTheBeginOfItsFlowIsLostInNoInterval) {
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;
    for (std::uint64_t seq = 0; seq < 20; ++seq) {
        const std::int64_t at = 999'999'993 + static_cast<std::int64_t>(seq) * 1'000'000;
        sent.push_back(sent_packet(seq, at));
        received.push_back(received_packet(seq, at, 1'000));
    }
    SamplePair pair = pair_of(sent, received);
    for (SampleLog* const log : {&pair.sender, &pair.receiver}) {
        log->metadata.flows.front().spec.start_delay = std::chrono::seconds(1);
    }
    const auto rows = only_flow(pair.analyzed()).series.rows();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].sent_packets, 0U);
    EXPECT_EQ(rows[0].lost, 0U);
    EXPECT_EQ(rows[1].sent_packets, 20U);
    EXPECT_EQ(rows[1].lost, 0U);
}

TEST(Conclusions, CopiesAndLatePacketsOfADamagedLogAreThoseThatTheReceiverCounted) {
    SamplePair pair = small_pair();
    FlowTotals& totals = pair.receiver.totals->flows.front();
    totals.packets += 7;
    totals.counters = {{"duplicates", 5}, {"reordered", 2}};
    const Results damaged = pair.analyzed();
    const ReceivedFigures& received = *only_flow(damaged).received;
    EXPECT_EQ(received.packets, 10U);
    EXPECT_EQ(received.duplicates, 5U);
    EXPECT_EQ(received.reordered, 2U);
    EXPECT_DOUBLE_EQ(received.reordered_ratio().value(), 2 / 5.0);
    totals.packets -= 7;
    const Results whole = pair.analyzed();
    EXPECT_EQ(only_flow(whole).received->duplicates, 1U) << "its records are all there";
    EXPECT_EQ(only_flow(whole).received->reordered, 0U);
}

TEST(Total, IsUnknownWhereAFlowsFigureIs) {
    SamplePair pair = small_pair();
    pair.sender.metadata.flows = empty_log(LogRole::sender, 2).metadata.flows;
    close(pair.sender);
    const Results results = pair.analyzed();
    const TotalResult& total = results.runs.front().total;
    EXPECT_EQ(total.flows, 2U);
    EXPECT_EQ(total.sent->packets, 3U);
    EXPECT_FALSE(total.received);
    EXPECT_EQ(total.loss.packets, std::nullopt);
    EXPECT_EQ(total.loss.at_least, 1U);
}

}  // namespace
}  // namespace groma
