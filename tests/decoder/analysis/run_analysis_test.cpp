#include "decoder/analysis/run_analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// Random loss, copies and disorder; the receiver's clock is ahead by `offset`.
struct RandomRun {
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;

    RandomRun(std::uint32_t seed, std::int64_t offset) {
        std::mt19937_64 engine(seed);
        std::int64_t now = 0;
        for (std::uint64_t seq = 0; seq < 400; ++seq) {
            now += static_cast<std::int64_t>(engine() % 20'000'000);
            sent.push_back(sent_packet(seq, now, static_cast<std::uint32_t>(20 + engine() % 1000)));
            const auto copies = engine() % 10 == 0 ? 0U : engine() % 10 == 1 ? 2U : 1U;
            for (unsigned copy = 0; copy < copies; ++copy) {
                const auto delay = static_cast<std::int64_t>(1'000'000 + engine() % 40'000'000);
                received.push_back(received_packet(seq, now, delay + offset, sent.back().size));
            }
        }
        std::stable_sort(received.begin(), received.end(),
                         [](const auto& a, const auto& b) { return a.received_at < b.received_at; });
    }
};

/// The definitions of docs/reference/metrics.md in the most obvious way.
struct SlowFigures {
    std::set<std::uint64_t> seen;
    std::vector<std::int64_t> delays;
    std::uint64_t duplicates = 0;
    std::uint64_t reordered = 0;
    std::uint64_t bytes = 0;

    SlowFigures(const std::vector<ReceivedRecord>& received, std::int64_t offset) {
        std::uint64_t next = 0;
        for (const auto& record : received) {
            bytes += record.size;
            if (not seen.insert(record.seq).second) {
                ++duplicates;
                continue;
            }
            reordered += record.seq < next ? 1 : 0;
            next = std::max(next, record.seq + 1);
            delays.push_back((record.received_at - record.sent_at).count() - offset);
        }
    }

    [[nodiscard]] double jitter() const {
        double sum = 0;
        for (std::size_t i = 1; i < delays.size(); ++i) {
            sum += std::abs(static_cast<double>(delays[i] - delays[i - 1]));
        }
        return sum / static_cast<double>(delays.size() - 1);
    }
};

void expect_same(const FlowResult& flow, const SlowFigures& slow, const RandomRun& run) {
    const ReceivedFigures& received = flow.received.value();
    EXPECT_EQ(flow.loss.packets, run.sent.size() - slow.seen.size());
    EXPECT_EQ(received.packets, run.received.size());
    EXPECT_EQ(received.bytes, slow.bytes);
    EXPECT_EQ(received.duplicates, slow.duplicates);
    EXPECT_EQ(received.reordered, slow.reordered);
    EXPECT_EQ(received.delay_ns.count, slow.delays.size());
    EXPECT_EQ(received.delay_ns.min, *std::min_element(slow.delays.begin(), slow.delays.end()));
    EXPECT_EQ(received.delay_ns.max, *std::max_element(slow.delays.begin(), slow.delays.end()));
    EXPECT_NEAR(received.jitter_ditg_ns.value_or(0), slow.jitter(), 1e-3);
    const auto duration = run.received.back().received_at - run.received.front().received_at;
    EXPECT_EQ(received.duration(), duration);
    const auto packets = static_cast<double>(run.received.size());
    EXPECT_NEAR(received.throughput_bps().value(),
                (packets - 1) / to_seconds(duration) * static_cast<double>(slow.bytes) * 8 / packets, 1e-3);
}

TEST(RunAnalysis, AgreesWithASlowReferenceOverRandomLossCopiesAndDisorder) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        const RandomRun run(seed, 0);
        expect_same(only_flow(pair_of(run.sent, run.received).analyzed()), SlowFigures(run.received, 0), run);
    }
}

TEST(RunAnalysis, AClockThatIsAheadIsTakenOffTheDelays) {
    constexpr std::int64_t kAhead = 3'600'000'000'000;
    const RandomRun run(5, kAhead);
    SamplePair pair = pair_of(run.sent, run.received);
    pair.receiver.metadata.boot_id = "another-boot";
    ClockProbe probe;
    probe.sent = wall_time_from_ns(kStartNs);
    probe.received = wall_time_from_ns(kStartNs + 50'000 + kAhead);
    probe.answered = wall_time_from_ns(kStartNs + 60'000 + kAhead);
    probe.returned = wall_time_from_ns(kStartNs + 110'000);
    probe.peer_boot_id = "another-boot";
    pair.sender.probes.push_back(probe);

    const Results results = pair.analyzed();
    expect_same(only_flow(results), SlowFigures(run.received, kAhead), run);
    const ClockState& clock = only_flow(results).clock;
    EXPECT_EQ(clock.kind, ClockState::Kind::probed);
    EXPECT_EQ(clock.offset, Nanos{kAhead});
    EXPECT_EQ(clock.probes, 1U);
    EXPECT_GE(clock.bound, Nanos{50'000});  // of the probe; it has grown until the last packet left
}

TEST(RunAnalysis, WithoutProbesDelaysAreRelativeToTheSmallest) {
    const RandomRun run(6, 987'654'321'000);
    SamplePair pair = pair_of(run.sent, run.received);
    pair.receiver.metadata.boot_id = "another-boot";
    const Results results = pair.analyzed();
    const Spread& delay = only_flow(results).received.value().delay_ns;
    const SlowFigures slow(run.received, 0);
    const auto [min, max] = std::minmax_element(slow.delays.begin(), slow.delays.end());
    EXPECT_EQ(only_flow(results).clock.kind, ClockState::Kind::relative);
    EXPECT_EQ(delay.min, 0);
    EXPECT_EQ(delay.max, *max - *min);
    EXPECT_EQ(results.runs.front().total.received->delay_ns.count, 0U);
}

TEST(RunAnalysis, TheSumOfEachColumnOfTheSeriesIsTheTotal) {
    const RandomRun run(9, 0);
    AnalysisOptions options;
    options.interval = Nanos{100'000'000};
    const Results results = pair_of(run.sent, run.received).analyzed(options);
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t lost = 0;
    for (const auto& row : only_flow(results).series.rows()) {
        sent += row.sent_packets.value();
        received += row.received_packets.value();
        lost += row.lost.value();
    }
    EXPECT_EQ(sent, run.sent.size());
    EXPECT_EQ(received, run.received.size());
    EXPECT_EQ(lost, only_flow(results).loss.packets.value());
}

TEST(RunAnalysis, TheOrderOfTheLogsDoesNotMatter) {
    const SamplePair pair = small_pair();
    const Results results = analyze({pair.receiver.source("r"), pair.sender.source("s")}, {});
    EXPECT_EQ(only_flow(results).loss.packets, 1U);
    EXPECT_FALSE(results.damaged);
}

TEST(RunAnalysis, TheSendersLogAloneGivesFidelityAndNamesTheRest) {
    const Results results = analyze({small_pair().sender.source("send.glog")}, {});
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.sent.value().packets, 3U);
    EXPECT_EQ(flow.sent->gaps_ns.count, 2U);
    EXPECT_FALSE(flow.received.has_value());
    EXPECT_EQ(flow.loss.packets, std::nullopt);
    EXPECT_THAT(flow.notes, Contains(HasSubstr("without the receiver's log")));
    EXPECT_FALSE(results.damaged);
}

TEST(RunAnalysis, TheReceiversLogAloneGivesALowerBoundOfTheLoss) {
    const Results results = analyze({small_pair().receiver.source("recv.glog")}, {});
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.loss.packets, std::nullopt);
    EXPECT_EQ(flow.loss.at_least, 1U);
    EXPECT_THAT(flow.notes, Contains("loss: unknown, without the sender's log (at least 1 packet)"));
    EXPECT_EQ(flow.clock.kind, ClockState::Kind::relative);
}

TEST(RunAnalysis, ALossAtTheVeryEndCounts) {
    const SamplePair pair = pair_of({sent_packet(0, 0), sent_packet(1, 1000)}, {received_packet(0, 0, 500)});
    EXPECT_EQ(only_flow(pair.analyzed()).loss.packets, 1U);
}

TEST(RunAnalysis, NoPacketsAtAllIsNoLoss) {
    const Results results = pair_of({}, {}).analyzed();
    EXPECT_EQ(only_flow(results).loss.packets, 0U);
    EXPECT_EQ(only_flow(results).received.value().duration(), std::nullopt);
    EXPECT_TRUE(only_flow(results).series.rows().empty());
}

TEST(RunAnalysis, OnePacketHasADelayButNoRateAndNoJitter) {
    const Results results = pair_of({sent_packet(0, 0)}, {received_packet(0, 0, 700)}).analyzed();
    const ReceivedFigures& received = only_flow(results).received.value();
    EXPECT_EQ(received.delay_ns.p50, 700);
    EXPECT_EQ(received.throughput_bps(), std::nullopt);
    EXPECT_EQ(received.jitter_count, 0U);
}

TEST(RunAnalysis, AllPacketsCanBeLost) {
    const Results results = pair_of({sent_packet(0, 0), sent_packet(1, 1'500'000'000)}, {}).analyzed();
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.loss.packets, 2U);
    ASSERT_EQ(flow.series.rows().size(), 2U);
    EXPECT_EQ(flow.series.rows()[1].lost, 1U);
    EXPECT_EQ(flow.series.rows()[1].delay_mean_ns, std::nullopt);
}

TEST(RunAnalysis, CopiesDoNotMakeUpForLostPackets) {
    const SamplePair pair = pair_of({sent_packet(0, 0), sent_packet(1, 1000), sent_packet(2, 2000)},
                                    {received_packet(0, 0, 10), received_packet(0, 0, 20), received_packet(0, 0, 30)});
    const Results results = pair.analyzed();
    EXPECT_EQ(only_flow(results).loss.packets, 2U);
    EXPECT_EQ(only_flow(results).received.value().duplicates, 2U);
    EXPECT_EQ(only_flow(results).received.value().delay_ns.count, 1U);
}

TEST(RunAnalysis, PacketsTooSmallForATimeGetItFromTheSendersLog) {
    SamplePair pair =
        pair_of({sent_packet(0, 0, 4), sent_packet(1, 1000, 11), sent_packet(2, 2000, 12)},
                {received_packet(0, 0, 50, 4), received_packet(1, 1000, 70, 11), received_packet(2, 2000, 90, 12)});
    for (std::size_t i = 0; i < 2; ++i) {
        pair.receiver.received.front().second[i].sent_at = ReceivedRecord::kNoTime;
    }
    const Results results = pair.analyzed();
    const ReceivedFigures& received = only_flow(results).received.value();
    EXPECT_EQ(received.undated, 0U);
    EXPECT_EQ(received.delay_ns.min, 50);
    EXPECT_DOUBLE_EQ(received.delay_ns.mean, 70);
    EXPECT_DOUBLE_EQ(received.jitter_ditg_ns.value_or(0), 20);
}

TEST(RunAnalysis, PacketsWithoutATimeAndWithoutTheSendersLogHaveNoDelay) {
    SamplePair pair = small_pair();
    for (auto& record : pair.receiver.received.front().second) {
        record.sent_at = ReceivedRecord::kNoTime;
    }
    const Results results = analyze({pair.receiver.source("recv.glog")}, {});
    EXPECT_EQ(only_flow(results).received.value().undated, 2U);
    EXPECT_EQ(only_flow(results).received.value().delay_ns.count, 0U);
}

TEST(RunAnalysis, PacketsWithoutANumberAreCountedAsTheyCome) {
    SamplePair pair = small_pair();
    for (auto& record : pair.receiver.received.front().second) {
        record = {.seq = ReceivedRecord::kNoSeq,
                  .sent_at = ReceivedRecord::kNoTime,
                  .received_at = record.received_at,
                  .size = 2};
    }
    const Results results = pair.analyzed();
    EXPECT_EQ(only_flow(results).received.value().unnumbered, 3U);
    EXPECT_EQ(only_flow(results).loss.packets, std::nullopt) << "one may be a copy of another";
    EXPECT_EQ(only_flow(results).loss.at_least, 0U);
    EXPECT_THAT(only_flow(results).notes, Contains(HasSubstr("3 packets carried no sequence number")));
}

TEST(RunAnalysis, DelayFromTheScheduleIsTheDelayAndHowLateThePacketLeft) {
    for (const std::size_t packets : {3U, 700U}) {  // one by one, and by column
        SampleLog sender = empty_log(LogRole::sender, 2);
        SampleLog receiver = empty_log(LogRole::receiver, 2);
        for (std::uint32_t id = 1; id <= 2; ++id) {
            std::vector<SentRecord> sent;
            std::vector<ReceivedRecord> received;
            for (std::uint64_t seq = 0; seq < packets; ++seq) {
                const auto at = static_cast<std::int64_t>(seq) * 1'000'000;
                sent.push_back(sent_packet(seq, at));
                sent.back().lateness = Nanos{static_cast<std::int64_t>(seq) * 100};
                received.push_back(received_packet(seq, at, 5000 * id));
            }
            sender.sent.emplace_back(FlowId{id}, sent);
            receiver.received.emplace_back(FlowId{id}, received);
        }
        close(sender);
        close(receiver);
        const Results results = analyze({sender.source("s"), receiver.source("r")}, {.thorough = true});
        EXPECT_FALSE(analyze({sender.source("s"), receiver.source("r")}, {})
                         .runs[0]
                         .flows[0]
                         .received->scheduled_delay_ns.known);
        const RunResult& run = results.runs.front();
        const auto latest = static_cast<std::int64_t>(packets - 1) * 100;
        for (const FlowResult& flow : run.flows) {
            const Spread& scheduled = flow.received->scheduled_delay_ns;
            EXPECT_EQ(scheduled.count, packets);
            EXPECT_EQ(scheduled.min, 5000 * flow.spec.id.value);
            EXPECT_EQ(scheduled.max, 5000 * flow.spec.id.value + latest);
            EXPECT_DOUBLE_EQ(scheduled.mean, flow.received->delay_ns.mean + static_cast<double>(latest) / 2);
        }
        const Spread& all = run.total.received->scheduled_delay_ns;
        EXPECT_EQ(all.count, 2 * packets);
        EXPECT_EQ(all.min, 5000);
        EXPECT_EQ(all.max, 10'000 + latest);
    }
}

/// Loss::before_host of two flows of 4 packets, of which 2 arrive, when the kernel dropped so many of the first's.
std::vector<std::optional<std::uint64_t>> lost_before_host_of(const std::vector<std::string>& sockets, Transport over,
                                                              bool gro = false, std::uint64_t dropped = 1) {
    SampleLog sender = empty_log(LogRole::sender, 2);
    SampleLog receiver = empty_log(LogRole::receiver, 2);
    for (std::uint32_t id = 1; id <= 2; ++id) {
        std::vector<SentRecord> sent;
        for (std::uint64_t seq = 0; seq < 4; ++seq) {
            sent.push_back(sent_packet(seq, static_cast<std::int64_t>(seq) * 1'000'000));
        }
        sender.sent.emplace_back(FlowId{id}, sent);
        receiver.received.push_back({FlowId{id}, {received_packet(0, 0, 1000), received_packet(3, 3'000'000, 1000)}});
        sender.metadata.flows[id - 1].spec.transport = receiver.metadata.flows[id - 1].spec.transport = over;
        receiver.metadata.flows[id - 1].local_address = sockets[id - 1];
    }
    close(sender);
    close(receiver);
    receiver.totals->flows[0].counters = {{"kernel_drops", dropped}};
    receiver.totals->flows[1].counters = {{"kernel_drops", 0}};
    for (FlowTotals& flow : receiver.totals->flows) {
        if (gro) {
            flow.counters.emplace_back("coalesced_packets", 0);
        }
    }
    const Results results = analyze({sender.source("s"), receiver.source("r")}, {});
    const RunResult& run = results.runs.front();
    return {run.flows[0].loss.before_host, run.flows[1].loss.before_host, run.total.loss.before_host};
}

TEST(RunAnalysis, LostBeforeTheHostIsWhatItsKernelDidNotDrop) {
    using Counts = std::vector<std::optional<std::uint64_t>>;
    EXPECT_EQ(lost_before_host_of({"h:1", "h:2"}, Transport::udp), (Counts{1, 2, 3}));
    EXPECT_EQ(lost_before_host_of({"h:1", "h:1"}, Transport::udp), (Counts{{}, {}, {}})) << "one of them has all drops";
    EXPECT_EQ(lost_before_host_of({"h:1", "h:2"}, Transport::dccp), (Counts{{}, {}, {}}));
    EXPECT_EQ(lost_before_host_of({"h:1", "h:2"}, Transport::udp, true), (Counts{{}, 2, {}}))
        << "a message of several packets counts as one drop";
}

TEST(RunAnalysis, LostBeforeTheHostIsUnknownWhereItsKernelDroppedMoreThanWasLost) {
    using Counts = std::vector<std::optional<std::uint64_t>>;
    EXPECT_EQ(lost_before_host_of({"h:1", "h:2"}, Transport::udp, false, 2), (Counts{0, 2, 2}));
    EXPECT_EQ(lost_before_host_of({"h:1", "h:2"}, Transport::udp, false, 3), (Counts{{}, 2, {}}));
}

TEST(RunAnalysis, SurvivesTimesThatMakeNoSense) {
    constexpr auto kFirst = wall_time_from_ns(std::numeric_limits<std::int64_t>::min() + 1);
    constexpr auto kLast = wall_time_from_ns(std::numeric_limits<std::int64_t>::max());
    SamplePair pair = small_pair();
    pair.sender.sent.front().second[1] = {.seq = 1, .sent_at = kFirst, .lateness = Nanos::max(), .size = 1, .batch = 9};
    pair.receiver.received.front().second[0] = {.seq = 0, .sent_at = kFirst, .received_at = kLast, .size = 1};
    pair.receiver.received.front().second[1] = {.seq = 1, .sent_at = kLast, .received_at = kFirst, .size = 1};
    EXPECT_EQ(only_flow(pair.analyzed()).received.value().packets, 3U);
}

}  // namespace
}  // namespace groma
