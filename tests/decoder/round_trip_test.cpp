// Round trips in the decoder, from complete logs: against a slow reference, and cases in which less is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

WallTime at(std::int64_t offset_ns) {
    return wall_time_from_ns(kStartNs + offset_ns);
}

/// A flow that is sent back over a network that loses and copies either way; the receiver's clock is ahead.
struct ReflectedRun {
    SamplePair pair;
    std::set<std::uint64_t> reached;
    std::set<std::uint64_t> returned;
    std::map<std::uint64_t, RoundTripRecord> first;  ///< copies, by number
    std::uint64_t copies = 0;

    ReflectedRun(std::uint32_t seed, std::int64_t ahead) {
        std::mt19937_64 random(seed);
        std::vector<SentRecord> sent;
        std::vector<ReceivedRecord> received;
        std::vector<RoundTripRecord> replies;
        for (std::uint64_t seq = 0; seq < 500; ++seq) {
            const auto now = static_cast<std::int64_t>(seq) * 10'000'000;
            sent.push_back(sent_packet(seq, now));
            const auto copies_there = random() % 8 == 0 ? 0U : random() % 12 == 0 ? 2U : 1U;
            for (unsigned copy = 0; copy < copies_there; ++copy) {
                const auto there = now + static_cast<std::int64_t>(1'000'000 + random() % 3'000'000);
                received.push_back({.seq = seq, .sent_at = at(now), .received_at = at(there + ahead), .size = 500});
                if (random() % 6 == 0) {
                    continue;
                }
                const auto held = static_cast<std::int64_t>(1000 + random() % 100'000);
                const auto back = there + held + static_cast<std::int64_t>(500'000 + random() % 5'000'000);
                replies.push_back({.seq = seq,
                                   .sent_at = at(now),
                                   .returned_at = at(back),
                                   .reflected_at = at(there + ahead),
                                   .replied_at = at(there + held + ahead),
                                   .size = 500});
            }
        }
        const auto by_arrival = [](const auto& a, const auto& b) { return a.received_at < b.received_at; };
        const auto by_return = [](const auto& a, const auto& b) { return a.returned_at < b.returned_at; };
        std::ranges::stable_sort(received, by_arrival);
        std::ranges::stable_sort(replies, by_return);
        for (const ReceivedRecord& record : received) {
            reached.insert(record.seq);
        }
        for (const RoundTripRecord& record : replies) {
            returned.insert(record.seq);
            copies += first.emplace(record.seq, record).second ? 0 : 1;
        }
        pair = pair_of(std::move(sent), std::move(received));
        pair.sender.returned = {{FlowId{1}, std::move(replies)}};
        for (SampleLog* log : {&pair.sender, &pair.receiver}) {
            log->metadata.flows.front().spec.meter = Meter::round_trip;
        }
        pair.sender.probes = {{.sent = at(0),
                               .received = at(ahead + 1000),
                               .answered = at(ahead + 1000),
                               .returned = at(2000),
                               .peer_host = "beta",
                               .peer_boot_id = "another-boot"}};
        pair.receiver.metadata.boot_id = "another-boot";
    }
};

template <typename Value>
void expect_spread(const Spread& spread, const ReflectedRun& run, Value value) {
    std::vector<std::int64_t> all;
    double sum = 0;
    for (const auto& [seq, record] : run.first) {
        all.push_back(value(record));
        sum += static_cast<double>(all.back());
    }
    std::ranges::sort(all);
    ASSERT_EQ(spread.count, all.size());
    EXPECT_EQ(spread.min, all.front());
    EXPECT_EQ(spread.max, all.back());
    EXPECT_NEAR(spread.mean, sum / static_cast<double>(all.size()), 1);
    const auto median = static_cast<double>(all[(all.size() + 1) / 2 - 1]);
    EXPECT_NEAR(static_cast<double>(spread.p50), median, median / 64);
}

TEST(RoundTrip, AgreesWithASlowReferenceOverRandomLossAndCopies) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        constexpr std::int64_t kAhead = 3'600'000'000'000;
        const ReflectedRun run(seed, kAhead);
        const Results results = run.pair.analyzed();
        const FlowResult& flow = results.runs.at(0).flows.at(0);
        ASSERT_TRUE(flow.round_trip);
        const RoundTripFigures& it = *flow.round_trip;
        EXPECT_EQ(it.unique, run.returned.size());
        EXPECT_EQ(it.duplicates, run.copies);
        EXPECT_EQ(it.lost, 500 - run.returned.size());
        EXPECT_EQ(flow.loss.packets, 500 - run.reached.size());
        EXPECT_EQ(it.backward_lost, run.reached.size() - run.returned.size());
        EXPECT_EQ(it.backward_from, "both logs, packet by packet");
        expect_spread(it.rtt_ns, run, [](const auto& r) { return (r.returned_at - r.sent_at).count(); });
        expect_spread(it.residence_ns, run, [](const auto& r) { return (r.replied_at - r.reflected_at).count(); });
        expect_spread(it.network_ns, run, [](const auto& r) {
            return (r.returned_at - r.sent_at - (r.replied_at - r.reflected_at)).count();
        });
        EXPECT_FALSE(it.one_way_is_relative);
        expect_spread(it.forward_ns, run, [](const auto& r) { return (r.reflected_at - r.sent_at).count() - kAhead; });
        expect_spread(it.backward_ns, run,
                      [](const auto& r) { return (r.returned_at - r.replied_at).count() + kAhead; });
    }
}

TEST(RoundTrip, TheSeriesHasEveryReplyAndTheMeanOfItsTimes) {
    const ReflectedRun run(3, 0);
    const Results results = run.pair.analyzed();
    std::uint64_t replies = 0;
    double sum = 0;
    std::map<std::int64_t, std::pair<double, int>> slow;
    for (const auto& [seq, record] : run.first) {
        auto& [total, count] = slow[ns_since_epoch(record.returned_at) / 1'000'000'000 - kStartNs / 1'000'000'000];
        total += static_cast<double>((record.returned_at - record.sent_at).count());
        ++count;
    }
    for (const SeriesRow& row : results.runs.at(0).flows.at(0).series.rows()) {
        replies += row.returned_packets.value_or(0);
        const auto& [total, count] = slow[static_cast<std::int64_t>(row.t_s)];
        ASSERT_EQ(row.rtt_mean_ns.has_value(), count > 0);
        if (count > 0) {
            EXPECT_NEAR(*row.rtt_mean_ns, total / count, 1);
            EXPECT_LE(*row.rtt_min_ns, *row.rtt_max_ns);
            sum += *row.rtt_mean_ns * count;
        }
    }
    EXPECT_EQ(replies, run.first.size() + run.copies);
    EXPECT_NEAR(sum / static_cast<double>(run.first.size()), results.runs.at(0).flows.at(0).round_trip->rtt_ns.mean, 1);
}

TEST(RoundTrip, TheSendersLogAloneCannotTellTheWaysOfALossApart) {
    const ReflectedRun run(4, 0);
    const Results results = analyze({run.pair.sender.source("s")}, {});
    const FlowResult& flow = results.runs.at(0).flows.at(0);
    EXPECT_EQ(flow.round_trip->lost, 500 - run.returned.size());
    EXPECT_FALSE(flow.round_trip->backward_lost);
    EXPECT_THAT(flow.round_trip->backward_from, HasSubstr("without the receiver's log"));
    // All probes went to one host: its stamps can be used without its log.
    EXPECT_FALSE(flow.round_trip->one_way_is_relative);
}

TEST(RoundTrip, WithoutTheReceiversRecordsItsTotalsTellTheWaysOfALossApart) {
    ReflectedRun run(5, 0);
    auto& totals = run.pair.receiver.totals->flows.front();
    totals.counters = {{"replies", totals.packets - 7}};
    run.pair.receiver.received.front().second.pop_back();  // a record that was lost
    const Results results = run.pair.analyzed();
    const RoundTripFigures& it = *results.runs.at(0).flows.at(0).round_trip;
    EXPECT_EQ(it.backward_lost, totals.packets - 7 - it.unique);
    EXPECT_THAT(it.backward_from, HasSubstr("totals"));
}

TEST(RoundTrip, RepliesTooSmallForATimeGetItFromTheSendersRecords) {
    ReflectedRun run(6, 0);
    const auto full = run.pair.analyzed().runs.at(0).flows.at(0).round_trip->rtt_ns;
    for (auto& [flow, records] : run.pair.sender.sent) {
        for (SentRecord& record : records) {
            record.size = 4;
        }
    }
    for (auto& [flow, records] : run.pair.sender.returned) {
        for (RoundTripRecord& record : records) {
            record = {.seq = record.seq, .returned_at = record.returned_at, .size = 4};
        }
    }
    const Results results = run.pair.analyzed();
    const RoundTripFigures& it = *results.runs.at(0).flows.at(0).round_trip;
    EXPECT_EQ(it.rtt_ns.count, full.count);
    EXPECT_EQ(it.rtt_ns.min, full.min);
    EXPECT_EQ(it.rtt_ns.max, full.max);
    EXPECT_EQ(it.residence_ns.count, 0U);
    EXPECT_EQ(it.undated, 0U);
}

TEST(RoundTrip, RepliesOfAFlowThatWasNotToHaveAnyAreLeftOutAndSaid) {
    ReflectedRun run(7, 0);
    run.pair.sender.metadata.flows.front().spec.meter = Meter::one_way;
    const Results results = run.pair.analyzed();
    EXPECT_FALSE(results.runs.at(0).flows.at(0).round_trip);
    EXPECT_THAT(results.warnings, ::testing::Contains(HasSubstr("were not to have any")));
}

TEST(RoundTrip, TimesThatMakeNoSenseDoNoHarm) {
    ReflectedRun run(8, 0);
    std::mt19937_64 random(8);
    for (auto& [flow, records] : run.pair.sender.returned) {
        for (RoundTripRecord& record : records) {
            record.seq = random();
            record.sent_at = wall_time_from_ns(static_cast<std::int64_t>(random()));
            record.returned_at = wall_time_from_ns(static_cast<std::int64_t>(random()));
            record.reflected_at = wall_time_from_ns(static_cast<std::int64_t>(random()));
            record.replied_at = wall_time_from_ns(static_cast<std::int64_t>(random()));
        }
    }
    EXPECT_GT(run.pair.analyzed().runs.at(0).flows.at(0).round_trip->replies, 0U);
}

}  // namespace
}  // namespace groma
