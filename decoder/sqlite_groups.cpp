#include "decoder/sqlite_groups.hpp"

#include <algorithm>

#include "decoder/sqlite_inserter.hpp"
#include "decoder/sqlite_rows.hpp"

namespace groma {

namespace {

constexpr int kColumns = 69;

void put_counts(Inserter& row, const TotalResult& it) {
    row << std::uint64_t{it.flows};
    if (it.sent) {
        row << it.sent->packets << it.sent->bytes;
    } else {
        row.skip(2);
    }
    row << it.due_packets;
    if (not it.received) {
        row.skip(2) << it.loss.packets;
        row.skip(6);
        return;
    }
    row << it.received->packets << it.received->bytes << it.loss.packets << it.received->duplicates
        << it.received->copied << it.received->reordered
        << (it.received->duration ? std::optional(to_seconds(*it.received->duration)) : std::nullopt)
        << it.received->throughput_bps << it.received->packet_rate_pps;
}

void put_fidelity(Inserter& row, const TotalResult& it) {
    if (not it.sent) {
        row.skip(6);
        return;
    }
    row << it.sent->fidelity.scheduled_pps << it.sent->fidelity.sent_pps << it.sent->fidelity.rate_error();
    if (it.sent->lateness_ns.count > 0) {
        row << it.sent->lateness_ns.p50 << it.sent->lateness_ns.p99 << it.sent->lateness_ns.max;
    } else {
        row.skip(3);
    }
}

void put_pattern(Inserter& row, const LossPatternFigures& figures) {
    if (not figures.counts) {
        row.skip(8);
        return;
    }
    const LossPatternCounts& it = *figures.counts;
    row << it.periods.count();
    if (it.periods.count() > 0) {
        row << it.periods.mean() << it.periods.max();
    } else {
        row.skip(2);
    }
    put(row, it.gilbert_p());
    put(row, it.gilbert_r());
    row << std::int64_t{figures.to_the_end ? 1 : 0};
}

void put_order(Inserter& row, const TotalResult& it) {
    if (not it.received) {
        row.skip(7);
        return;
    }
    const LogHistogram& extents = it.received->reordering.extents;
    row << it.received->reordered_ratio();
    if (extents.count() > 0) {
        row << extents.mean() << extents.percentile(0.5) << extents.percentile(0.99) << extents.max();
    } else {
        row.skip(4);
    }
    row << it.received->reordering.beyond << it.received->reordering.n_reordered(3);
}

void put_all(Inserter& row, const TotalResult& it) {
    const ReceivedFigures received = it.received.value_or(ReceivedFigures());
    put_counts(row, it);
    put(row, received.delay_ns);
    row << received.jitter_ditg_ns;
    put(row, received.pdv_ns);
    put(row, received.ipdv_ns);
    put_fidelity(row, it);
    put_pattern(row, it.loss_pattern);
    put_order(row, it);
    row << to_string(it.clock.kind) << received.throughput_ip_bps << received.throughput_ethernet_bps;
    row.end_row();
}

}  // namespace

void write_groups(SQLite::Database& database, std::int64_t run, const RunResult& result) {
    Inserter rows(database, "groups", kColumns);
    Inserter members(database, "group_flows", 4);
    std::int64_t number = 0;
    rows << run << number << std::string("total");
    rows.skip(4);
    put_all(rows, result.total);
    for (const GroupResult& group : result.groups) {
        rows << run << ++number << group.name;
        for (const GroupKey key : {GroupKey::hosts, GroupKey::transport, GroupKey::profile, GroupKey::label}) {
            const auto place = std::ranges::find(result.group_keys, key) - result.group_keys.begin();
            const bool is_key = place < static_cast<std::ptrdiff_t>(group.values.size());
            rows << (is_key ? std::optional(group.values[static_cast<std::size_t>(place)]) : std::nullopt);
        }
        put_all(rows, group.total);
        for (const auto& [flow, receiver] : group.flows) {
            members << run << number << flow.value << receiver;
            members.end_row();
        }
    }
}

}  // namespace groma
