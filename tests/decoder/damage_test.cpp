// Damaged and incomplete logs: known figures are right, and unknown ones are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/log/log_writer.hpp"
#include "tests/common/log/log_samples.hpp"
#include "tests/decoder/json_report.hpp"
#include "tests/decoder/random_network.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LogText bytes_of(const SampleLog& log, std::size_t block_records) {
    MemorySink sink;
    LogWriter writer(sink, log.metadata, block_records);
    const auto add = [&](const auto& lists) {
        for (const auto& [flow, records] : lists) {
            writer.add(flow, std::span(records));
        }
    };
    add(log.sent);
    add(log.received);
    if (log.totals) {
        writer.close(*log.totals);
    } else {
        writer.flush();
    }
    return sink.log;
}

LogSource source_of(const LogText& bytes, const std::string& name) {
    return {name, bytes.size(), [bytes, name](LogVisitor& visitor) { read_log(bytes, name, visitor); }};
}

/// A run of one flow, its logs as bytes, and its true figures.
struct WholeRun {
    LogText sender;
    LogText receiver;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t lost = 0;
    std::uint64_t duplicates = 0;

    explicit WholeRun(std::uint32_t seed) {
        RandomNetwork network(seed, 1, {});
        SamplePair pair = network.logs(true, 0);
        const Results results = pair.analyzed();
        const FlowResult& flow = results.runs.front().flows.front();
        sent = flow.sent->packets;
        received = flow.received->packets;
        lost = *flow.loss.packets;
        duplicates = flow.received->duplicates;
        pair.receiver.totals->flows.front().counters = {{"duplicates", duplicates}};
        sender = bytes_of(pair.sender, 64);
        receiver = bytes_of(pair.receiver, 64);
    }

    [[nodiscard]] Results analyzed() const {
        return analyze({source_of(sender, "send.glog"), source_of(receiver, "recv.glog")}, {});
    }
};

/// All figures of a damaged run are true; a file that is no longer a log has none.
void expect_nothing_wrong(const WholeRun& truth, const WholeRun& damaged, const std::string& whole_report) {
    try {
        const Results results = damaged.analyzed();
        if (not results.damaged) {
            EXPECT_EQ(json_report(results), whole_report) << "damage that nobody was told of";
            return;
        }
        for (const RunResult& run : results.runs) {
            for (const FlowResult& flow : run.flows) {
                EXPECT_EQ(flow.loss.packets.value_or(truth.lost), truth.lost);
                EXPECT_LE(flow.loss.at_least.value_or(0), truth.lost);
                EXPECT_LE(flow.sent ? flow.sent->packets : 0, truth.sent);
                EXPECT_LE(flow.received ? flow.received->packets : 0, truth.received);
                EXPECT_TRUE(flow.loss.packets or not flow.loss.unknown_because.empty());
                if (flow.loss_pattern.counts and flow.loss_pattern.to_the_end) {
                    EXPECT_EQ(flow.loss_pattern.counts->lost, truth.lost);
                }
            }
        }
    } catch (const UsageError&) {
        // Not a log any more, or of another flow: refused in words.
    } catch (const ParseError&) {
        // Likewise.
    }
}

TEST(Damage, ABitFlippedAnywhereIsToldOrChangesNothing) {
    const WholeRun whole(2);
    const std::string report = json_report(whole.analyzed());
    ASSERT_GT(whole.lost, 0U);
    ASSERT_GT(whole.duplicates, 0U);
    std::mt19937_64 engine(1);
    for (const bool sender : {true, false}) {
        const std::size_t size = (sender ? whole.sender : whole.receiver).size();
        for (std::size_t at = 0; at < size; ++at) {
            SCOPED_TRACE((sender ? "sender, byte " : "receiver, byte ") + std::to_string(at));
            WholeRun damaged = whole;
            (sender ? damaged.sender : damaged.receiver)[at] ^= std::byte{1} << static_cast<int>(engine() % 8);
            expect_nothing_wrong(whole, damaged, report);
        }
    }
}

TEST(Damage, ALogCutAtAnyByteHasNoWrongFigures) {
    const WholeRun whole(2);
    const std::string report = json_report(whole.analyzed());
    for (const bool sender : {true, false}) {
        const std::size_t size = (sender ? whole.sender : whole.receiver).size();
        for (std::size_t left = 0; left < size; left += left < 100 or left + 100 > size ? 1 : 7) {
            SCOPED_TRACE((sender ? "sender, cut at " : "receiver, cut at ") + std::to_string(left));
            WholeRun damaged = whole;
            (sender ? damaged.sender : damaged.receiver).resize(left);
            expect_nothing_wrong(whole, damaged, report);
        }
    }
}

/// The state of either log of a flow.
enum class State { whole, cut_short, missing };

Results joined(State sender, State receiver) {
    RandomNetwork network(2, 2, {});
    SamplePair pair = network.logs(true, 0);
    std::vector<LogSource> sources;
    const auto add = [&](SampleLog log, State state, const char* name) {
        if (state == State::cut_short) {
            log.totals.reset();
        }
        if (state != State::missing) {
            sources.push_back(log.source(name));
        }
    };
    add(pair.sender, sender, "send.glog");
    add(pair.receiver, receiver, "recv.glog");
    return analyze(sources, {});
}

/// 1000 packets of 500 bytes, 1 ms apart, without the records of the middle half.
SamplePair without_the_middle() {
    std::vector<ReceivedRecord> received;
    for (std::uint64_t seq = 0; seq <= 1000; ++seq) {
        received.push_back(received_packet(seq, static_cast<std::int64_t>(seq) * 1'000'000, 1000));
    }
    SamplePair pair = pair_of({}, received);
    auto& records = pair.receiver.received.front().second;
    records.erase(records.begin() + 250, records.begin() + 750);
    return pair;
}

TEST(Damage, MissingRecordsDoNotLowerTheRatesOfAFlow) {
    SamplePair pair = without_the_middle();
    pair.receiver.totals->flows[0].first = wall_time_from_ns(kStartNs + 1000);
    pair.receiver.totals->flows[0].last = wall_time_from_ns(kStartNs + 1'000'001'000);
    const Results results = analyze({pair.receiver.source("recv.glog")}, {});
    const ReceivedFigures& flow = *only_flow(results).received;
    EXPECT_EQ(flow.records_missing, 500U);
    EXPECT_DOUBLE_EQ(flow.packet_rate_pps().value(), 1000);
    EXPECT_DOUBLE_EQ(flow.throughput_bps().value(), 4e6);
    EXPECT_DOUBLE_EQ(results.runs.front().total.received->throughput_bps().value(), 4e6);
    EXPECT_FALSE(flow.throughput_ip_bps());
    EXPECT_THAT(flow.headers_unknown_because, HasSubstr("sizes of 500 packets"));
}

TEST(Damage, TimesBetweenMissingRecordsAreNoArrivalGaps) {
    for (const bool totals : {true, false}) {
        std::vector<SentRecord> sent;
        std::vector<ReceivedRecord> received;
        for (std::uint64_t seq = 0; seq < 100; ++seq) {
            const auto at = static_cast<std::int64_t>(seq) * 1'000'000;
            sent.push_back(sent_packet(seq, at));
            received.push_back(received_packet(seq, at, 1000));
        }
        SamplePair pair = pair_of(sent, received);
        EXPECT_EQ(pair.analyzed().runs[0].flows[0].received->gaps_ns.max, 1'000'000);
        auto& kept = pair.receiver.received.front().second;
        kept.erase(kept.begin() + 40, kept.begin() + 60);
        if (not totals) {
            pair.receiver.totals.reset();
            pair.receiver.gaps.push_back({.offset = 1000, .bytes = 100, .reason = "damaged", .torn_tail = false});
        }
        const FlowResult flow = pair.analyzed({.thorough = true}).runs[0].flows[0];
        EXPECT_FALSE(flow.received->gaps_ns.known);
        EXPECT_TRUE(flow.received->arrival_scales.empty());
        EXPECT_THAT(flow.notes, Contains(HasSubstr("arrival gaps: unknown")));
        EXPECT_EQ(flow.received->delay_ns.count, 80U);
    }
}

TEST(Damage, TimesOfTotalsThatCannotBeGiveNoRates) {
    for (const auto& [first, last] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {900'000'000, 100'000'000}, {500'000'000, 2'000'000'000}, {0, 700'000'000}}) {
        SamplePair pair = without_the_middle();
        pair.receiver.totals->flows[0].first = wall_time_from_ns(kStartNs + first);
        pair.receiver.totals->flows[0].last = wall_time_from_ns(kStartNs + last);
        const Results results = analyze({pair.receiver.source("recv.glog")}, {});
        EXPECT_FALSE(only_flow(results).received->packet_rate_pps());
        EXPECT_THAT(only_flow(results).received->rates_unknown_because, HasSubstr("contradict"));
        EXPECT_THAT(only_flow(results).notes, testing::Contains(HasSubstr("duration and rates: unknown, because")));
    }
}

/// A flow of 1000 packets a second of whose records the first half is missing.
SampleLog without_the_first_half() {
    SampleLog log = empty_log(LogRole::sender);
    std::vector<SentRecord> sent;
    for (std::uint64_t seq = 0; seq <= 1000; ++seq) {
        sent.push_back(sent_packet(seq, static_cast<std::int64_t>(seq) * 1'000'000));
    }
    log.sent = {{FlowId{1}, sent}};
    close(log);
    log.sent.front().second.erase(log.sent.front().second.begin(), log.sent.front().second.begin() + 500);
    return log;
}

TEST(Damage, MissingRecordsOfASenderDoNotRaiseItsRates) {
    SampleLog log = without_the_first_half();
    const Results unknown = analyze({log.source("send.glog")}, {});
    EXPECT_EQ(only_flow(unknown).sent->fidelity.sent_pps(), std::nullopt);
    EXPECT_EQ(only_flow(unknown).sent->fidelity.scheduled_pps(), std::nullopt);
    FlowTotals& totals = log.totals->flows[0];
    totals.first = totals.first_due = wall_time_from_ns(kStartNs);
    totals.last = totals.last_due = wall_time_from_ns(kStartNs + 1'000'000'000);
    const Results known = analyze({log.source("send.glog")}, {});
    EXPECT_DOUBLE_EQ(only_flow(known).sent->fidelity.sent_pps().value(), 1000);
    EXPECT_DOUBLE_EQ(only_flow(known).sent->fidelity.scheduled_pps().value(), 1000);
}

TEST(Damage, RatesAreUnknownWhereTheFirstAndTheLastArrivalAre) {
    const SamplePair pair = without_the_middle();
    const Results results = analyze({pair.receiver.source("recv.glog")}, {});
    const ReceivedFigures& flow = *only_flow(results).received;
    EXPECT_EQ(flow.packets, 1001U);
    EXPECT_FALSE(flow.packet_rate_pps());
    EXPECT_FALSE(flow.throughput_bps());
    EXPECT_THAT(flow.rates_unknown_because, HasSubstr("records of 500 packets are not in the log"));
    const ReceivedFigures& total = *results.runs.front().total.received;
    EXPECT_FALSE(total.throughput_bps());
    EXPECT_THAT(total.rates_unknown_because, HasSubstr("of flow 1: the records"));
}

TEST(Damage, RatesOfADamagedLogWithoutTotalsAreUnknownAndOfATornOneThoseOfItsRecords) {
    SamplePair pair = without_the_middle();
    pair.receiver.totals.reset();
    pair.receiver.gaps = {{.offset = 9, .bytes = 1, .reason = "torn tail", .torn_tail = true}};
    EXPECT_TRUE(only_flow(analyze({pair.receiver.source("recv.glog")}, {})).received->packet_rate_pps());
    pair.receiver.gaps.push_back({.offset = 5, .bytes = 1, .reason = "checksum", .torn_tail = false});
    const Results results = analyze({pair.receiver.source("recv.glog")}, {});
    EXPECT_FALSE(only_flow(results).received->packet_rate_pps());
    EXPECT_THAT(only_flow(results).received->rates_unknown_because, HasSubstr("damaged"));
}

TEST(Joins, OfEveryCombinationSayWhatIsKnownAndNameWhatIsNot) {
    const FlowResult truth = joined(State::whole, State::whole).runs.front().flows.front();
    for (const State sender : {State::whole, State::cut_short, State::missing}) {
        for (const State receiver : {State::whole, State::cut_short, State::missing}) {
            if (sender == State::missing and receiver == State::missing) {
                continue;
            }
            SCOPED_TRACE(std::to_string(static_cast<int>(sender)) + std::to_string(static_cast<int>(receiver)));
            const Results results = joined(sender, receiver);
            const RunResult& run = results.runs.front();
            const FlowResult& flow = run.flows.front();
            const bool both_whole = sender == State::whole and receiver == State::whole;
            EXPECT_EQ(flow.sent.has_value(), sender != State::missing);
            EXPECT_EQ(flow.received.has_value(), receiver != State::missing);
            EXPECT_EQ(flow.loss.packets.has_value(), both_whole);
            EXPECT_EQ(flow.loss.unknown_because.empty(), both_whole);
            EXPECT_EQ(flow.loss.at_least.has_value(), receiver == State::whole and not both_whole);
            EXPECT_EQ(flow.loss_pattern.counts.has_value(), receiver == State::whole);
            EXPECT_EQ(flow.loss_pattern.to_the_end, both_whole);
            EXPECT_EQ(flow.clock.absolute(), sender != State::missing and receiver != State::missing);
            EXPECT_EQ(run.total.loss.packets.has_value(), both_whole);
            EXPECT_EQ(run.total.sent.has_value(), sender != State::missing);
            EXPECT_EQ(run.total.received.has_value(), receiver != State::missing);
            EXPECT_EQ(run.total.received and run.total.received->delay_ns.count > 0, flow.clock.absolute());
            EXPECT_EQ(run.total.received and run.total.received->pdv_ns.count > 0, receiver != State::missing);
            EXPECT_EQ(results.damaged, sender == State::cut_short or receiver == State::cut_short);
            EXPECT_EQ(flow.notes.empty(), both_whole and truth.notes.empty());
            if (flow.received) {
                EXPECT_EQ(flow.received->duplicates, truth.received->duplicates);
                EXPECT_EQ(flow.received->reordered, truth.received->reordered);
            }
            if (flow.sent) {
                EXPECT_EQ(flow.sent->fidelity.packets, truth.sent->fidelity.packets);
            }
        }
    }
}

TEST(Joins, OfOneOfTwoReceiversLeaveTheFlowsOfTheOtherUnknown) {
    RandomNetwork network(7, 2, {});
    SamplePair pair = network.logs(true, 0);
    SampleLog beta = pair.receiver;
    beta.metadata.flows.pop_back();
    std::erase_if(beta.received, [](const auto& each) { return each.first == FlowId{2}; });
    close(beta);
    const Results results = analyze({pair.sender.source("send.glog"), beta.source("beta.glog")}, {});
    const RunResult& run = results.runs.front();
    EXPECT_TRUE(run.flows[0].loss.packets);
    EXPECT_FALSE(run.flows[1].loss.packets);
    EXPECT_FALSE(run.total.loss.packets);
    EXPECT_THAT(run.total.loss.unknown_because, HasSubstr("of flow 2"));
    EXPECT_FALSE(run.total.loss_pattern.counts);
    EXPECT_FALSE(run.total.received);
    EXPECT_TRUE(run.total.sent);
}

TEST(Extremes, AllLostAllCopiedOnePacketAndNone) {
    const auto one = [](const SamplePair& pair) { return pair.analyzed().runs.front().flows.front(); };
    const FlowResult lost = one(pair_of({sent_packet(0, 0), sent_packet(1, 10), sent_packet(2, 20)}, {}));
    EXPECT_EQ(lost.loss.packets, 3U);
    EXPECT_EQ(lost.loss_pattern.counts->periods.max(), 3);
    EXPECT_FALSE(lost.loss_pattern.counts->gilbert_p());
    EXPECT_EQ(lost.received->delay_ns.count, 0U);

    const FlowResult copied =
        one(pair_of({sent_packet(0, 0), sent_packet(1, 10)},
                    {received_packet(0, 0, 5), received_packet(0, 0, 6), received_packet(1, 10, 7),
                     received_packet(1, 10, 8), received_packet(1, 10, 9)}));
    EXPECT_EQ(copied.loss.packets, 0U);
    EXPECT_EQ(copied.received->copied, 2U);
    EXPECT_EQ(copied.received->duplicates, 3U);

    const FlowResult single = one(pair_of({sent_packet(0, 0)}, {received_packet(0, 0, 5)}));
    EXPECT_EQ(single.loss_pattern.counts->packets, 1U);
    EXPECT_FALSE(single.loss_pattern.counts->gilbert_p());
    EXPECT_FALSE(single.received->throughput_bps());
    EXPECT_EQ(single.received->pdv_ns.max, 0);

    const FlowResult none = one(pair_of({}, {}));
    EXPECT_EQ(none.loss.packets, 0U);
    EXPECT_EQ(none.loss_pattern.counts->packets, 0U);
}

TEST(Extremes, NumbersBeyond32BitsGoOn) {
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;
    const std::uint64_t wrap = std::uint64_t{1} << 32;
    for (std::uint64_t seq = 0; seq < wrap + 50; seq = seq == 0 ? wrap - 50 : seq + 1) {
        const auto at = static_cast<std::int64_t>(seq);  // 1 ns apart
        sent.push_back(sent_packet(seq, at));
        if (seq % 10 != 5) {
            received.push_back(received_packet(seq, at, 1000 + static_cast<std::int64_t>(seq % 3)));
        }
    }
    const Results results = pair_of(sent, received).analyzed();
    const FlowResult& flow = results.runs.front().flows.front();
    ASSERT_TRUE(flow.loss_pattern.counts) << flow.loss_pattern.unknown_because;
    EXPECT_EQ(flow.loss.packets, sent.size() - received.size());
    EXPECT_EQ(flow.loss_pattern.counts->lost, sent.size() - received.size());
    EXPECT_EQ(flow.loss_pattern.counts->packets, sent.size());
    EXPECT_EQ(flow.received->reordered, 0U);
    EXPECT_EQ(flow.sent->gaps_ns.max, 1);
}

TEST(Extremes, AnEmptyFileIsRefusedAndAHeaderAloneIsLeftOutWithAWarning) {
    WholeRun run(2);
    run.receiver.clear();
    EXPECT_ANY_THROW(std::ignore = run.analyzed());
    run.receiver.assign(run.sender.begin(), run.sender.begin() + 16);
    const Results results = run.analyzed();
    EXPECT_TRUE(results.damaged);
    EXPECT_THAT(results.warnings.front(), HasSubstr("recv.glog"));
    EXPECT_FALSE(results.runs.front().flows.front().received);
}

}  // namespace
}  // namespace groma
