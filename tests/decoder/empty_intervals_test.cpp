// Which empty intervals the series of flows, groups and the total have: holes are filled one after the other, as long
// as they fit into the series' share of a million.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "decoder/analysis/run_analysis.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using Indexes = std::set<std::int64_t>;

constexpr std::int64_t kIntervalNs = 1000;
constexpr std::int64_t kDelayNs = 2500;
constexpr std::uint32_t kGroups = 100;
constexpr std::uint32_t kFlows = 2 * kGroups;

/// Interval by interval up to the last one with a packet.
std::vector<std::int64_t> expected(const Indexes& with_packets, std::int64_t share) {
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> hole;
    for (std::int64_t index = 0; index <= *with_packets.rbegin(); ++index) {
        if (not with_packets.contains(index)) {
            hole.push_back(index);
            continue;
        }
        if (static_cast<std::int64_t>(hole.size()) <= share and hole.size() <= 100'000) {
            rows.insert(rows.end(), hole.begin(), hole.end());
            share -= static_cast<std::int64_t>(hole.size());
        }
        hole.clear();
        rows.push_back(index);
    }
    return rows;
}

template <typename Rows>
std::vector<std::int64_t> indexes_of(const Rows& rows) {
    std::vector<std::int64_t> indexes;
    for (const SeriesRow& row : rows) {
        indexes.push_back(std::llround(row.t_s * 1e9 / kIntervalNs));
    }
    return indexes;
}

/// Groups of two flows, "g1-1" and "g1-2" and so on. All flows have a packet at the start; those of the first group
/// more.
struct SparseRun {
    std::map<std::uint32_t, Indexes> with_packets;
    SamplePair pair{empty_log(LogRole::sender, kFlows), empty_log(LogRole::receiver, kFlows)};

    SparseRun() {
        const std::map<std::uint32_t, std::vector<std::int64_t>> more{
            {1, {4'000, 8'000, 8'500, 9'000, 40'000}}, {2, {2'000, 6'000, 9'900, 16'000, 16'001, 120'000, 250'000}}};
        for (std::uint32_t id = 1; id <= kFlows; ++id) {
            std::vector<std::int64_t> departures{0};
            if (const auto found = more.find(id); found != more.end()) {
                departures.insert(departures.end(), found->second.begin(), found->second.end());
            }
            add_flow(id, departures);
        }
        close(pair.sender);
        close(pair.receiver);
    }

    void add_flow(std::uint32_t id, const std::vector<std::int64_t>& departures) {
        std::vector<SentRecord> sent;
        std::vector<ReceivedRecord> received;
        for (const std::int64_t index : departures) {
            sent.push_back(sent_packet(sent.size(), index * kIntervalNs));
            received.push_back(received_packet(received.size(), index * kIntervalNs, kDelayNs));
            with_packets[id].insert({index, (index * kIntervalNs + kDelayNs) / kIntervalNs});
        }
        pair.sender.sent.emplace_back(FlowId{id}, sent);
        pair.receiver.received.emplace_back(FlowId{id}, received);
        for (SampleLog* log : {&pair.sender, &pair.receiver}) {
            log->metadata.flows[id - 1].spec.name =
                "g" + std::to_string((id + 1) / 2) + '-' + std::to_string(2 - id % 2);
        }
    }

    [[nodiscard]] Indexes together(std::uint32_t from, std::uint32_t to) const {
        Indexes all;
        for (std::uint32_t id = from; id <= to; ++id) {
            all.insert(with_packets.at(id).begin(), with_packets.at(id).end());
        }
        return all;
    }
};

TEST(EmptyIntervals, OfFlowsGroupsAndTheTotalAreThoseThatFitIntoTheirShare) {
    const SparseRun run;
    const Results results = run.pair.analyzed({.interval = Nanos{kIntervalNs}, .group_by = {GroupKey::label}});
    const RunResult& result = results.runs.front();
    ASSERT_EQ(result.flows.size(), kFlows);
    for (std::uint32_t id = 1; id <= kFlows; ++id) {
        EXPECT_EQ(indexes_of(result.flows[id - 1].series.rows()), expected(run.together(id, id), 1'000'000 / kFlows));
    }
    ASSERT_EQ(result.groups.size(), kGroups);
    EXPECT_EQ(indexes_of(result.groups.front().total.series.rows()), expected(run.together(1, 2), 1'000'000 / kGroups));
    EXPECT_EQ(indexes_of(result.groups.back().total.series.rows()), expected(run.together(3, 4), 1'000'000 / kGroups));
    EXPECT_EQ(indexes_of(result.total.series.rows()), expected(run.together(1, kFlows), 1'000'000));
}

}  // namespace
}  // namespace groma
