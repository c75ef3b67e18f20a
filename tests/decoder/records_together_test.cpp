// Records that are handed over together give the same figures as one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <tuple>
#include <vector>

#include "decoder/analysis/received_analyzer.hpp"
#include "decoder/analysis/sent_analyzer.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

constexpr Nanos kInterval{1'000'000};
constexpr SeriesKnowledge kAll{.sent = true, .received = true, .delay = true, .lost = true};

/// A time that only damaged or forged logs have.
std::int64_t far_time(std::mt19937_64& engine) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::array<std::int64_t, 6> far{kMost, -kMost, 0, kStartNs + (std::int64_t{1} << 59), kStartNs / 2, 3};
    return far.at(engine() % far.size());
}

/// Most are neighbours in order; some are lost, late, copies, without number or time, of other sizes, or from before
/// the run.
std::vector<ReceivedRecord> messy_arrivals(std::mt19937_64& engine) {
    std::vector<ReceivedRecord> records;
    const auto one_in = [&](unsigned n) { return engine() % n == 0; };
    const unsigned trouble = one_in(2) ? 20 : 500;
    for (std::uint32_t seq = 0; seq < 4000; ++seq) {
        const std::int64_t at = seq * 10'000 + static_cast<std::int64_t>(engine() % 9000);
        ReceivedRecord record = received_packet(seq, at, 100'000 + static_cast<std::int64_t>(engine() % 5000), 64);
        record.size = one_in(trouble) ? 20 + static_cast<std::uint32_t>(engine() % 1000) : 64;
        record.seq = one_in(trouble) ? ReceivedRecord::kNoSeq : record.seq;
        record.sent_at = one_in(trouble) ? ReceivedRecord::kNoTime : record.sent_at;
        record.received_at += one_in(trouble) ? Nanos{-3'000'000} : Nanos{0};
        record.received_at = one_in(50 * trouble) ? wall_time_from_ns(far_time(engine)) : record.received_at;
        record.sent_at = one_in(50 * trouble) ? wall_time_from_ns(far_time(engine)) : record.sent_at;
        records.insert(records.end(), one_in(trouble) ? 0 : one_in(trouble) ? 2 : 1, record);
    }
    for (std::size_t i = 0; i + 50 < records.size(); i += trouble) {
        std::swap(records[i], records[i + engine() % 50]);
    }
    return records;
}

/// The columns of records, as long as those of a log's block can be.
struct SentBlock {
    explicit SentBlock(const std::vector<SentRecord>& records) {
        for (const SentRecord& record : records) {
            seq.push_back(record.seq);
            sent_at.push_back(ns_since_epoch(record.sent_at));
            lateness.push_back(record.lateness.count());
            size.push_back(record.size);
            batch.push_back(record.batch);
        }
    }
    [[nodiscard]] SentColumns columns() const { return {seq, sent_at, lateness, size, batch}; }

    std::vector<std::uint64_t> seq{};
    std::vector<std::int64_t> sent_at{};
    std::vector<std::int64_t> lateness{};
    std::vector<std::uint64_t> size{};
    std::vector<std::uint64_t> batch{};
};

struct ReceivedBlock {
    explicit ReceivedBlock(const std::vector<ReceivedRecord>& records) {
        for (const ReceivedRecord& record : records) {
            seq.push_back(record.seq);
            sent_at.push_back(ns_since_epoch(record.sent_at));
            received_at.push_back(ns_since_epoch(record.received_at));
            size.push_back(record.size);
        }
    }
    [[nodiscard]] ReceivedColumns columns() const { return {seq, sent_at, received_at, size, {}, {}}; }

    std::vector<std::uint64_t> seq{};
    std::vector<std::int64_t> sent_at{};
    std::vector<std::int64_t> received_at{};
    std::vector<std::uint64_t> size{};
};

template <typename Analyzer, typename Columns>
void add_in_pieces(Analyzer& analyzer, const Columns& records, std::mt19937_64& engine) {
    for (std::size_t first = 0; first < records.count();) {
        const Columns piece = records.part(first, engine() % 1500);
        analyzer.add(piece);
        first += piece.count();
    }
}

std::vector<std::vector<double>> columns(const TimeSeries& series) {
    std::vector<std::vector<double>> rows;
    for (const SeriesRow& row : series.rows(kAll)) {
        const auto integer = [](const auto& value) { return value ? static_cast<double>(*value) : -1; };
        rows.push_back({row.t_s, integer(row.sent_packets), integer(row.received_packets), integer(row.received_bytes),
                        row.delay_mean_ns.value_or(-1), integer(row.delay_min_ns), integer(row.delay_max_ns),
                        row.jitter_ns.value_or(-1), integer(row.lost)});
    }
    return rows;
}

auto all_of(const Spread& spread) {
    return std::tuple(spread.count, spread.min, spread.mean, spread.deviation, spread.p50, spread.p90, spread.p99,
                      spread.p999, spread.max, spread.bins());
}

void expect_equal(const ReceivedFigures& one, const ReceivedFigures& other) {
    EXPECT_EQ(one.packets, other.packets);
    EXPECT_EQ(one.bytes, other.bytes);
    EXPECT_EQ(one.unique, other.unique);
    EXPECT_EQ(one.duplicates, other.duplicates);
    EXPECT_EQ(one.reordered, other.reordered);
    EXPECT_EQ(one.reordering.extents.bins(), other.reordering.extents.bins());
    EXPECT_EQ(one.reordering.largest_n, other.reordering.largest_n);
    EXPECT_EQ(one.unnumbered, other.unnumbered);
    EXPECT_EQ(one.undated, other.undated);
    EXPECT_EQ(one.next_expected, other.next_expected);
    EXPECT_EQ(one.arrivals, other.arrivals);
    EXPECT_EQ(all_of(one.delay_ns), all_of(other.delay_ns));
    EXPECT_EQ(all_of(one.pdv_ns), all_of(other.pdv_ns));
    EXPECT_EQ(all_of(one.ipdv_ns), all_of(other.ipdv_ns));
    EXPECT_EQ(one.ipdv_missed, other.ipdv_missed);
    EXPECT_EQ(one.jitter_count, other.jitter_count);
    EXPECT_EQ(one.jitter_ditg_ns, other.jitter_ditg_ns);
    // Smoothed in another order of rounding; far times make it so large that doubles are further apart than that.
    const double jitter = one.jitter_rfc3550_ns.value_or(0);
    EXPECT_NEAR(jitter, other.jitter_rfc3550_ns.value_or(0), std::max(1e-6, 1e-14 * jitter));
    EXPECT_EQ(all_of(one.gaps_ns), all_of(other.gaps_ns));
    EXPECT_EQ(all_of(one.sizes), all_of(other.sizes));
}

TEST(RecordsTogether, ArrivalsGiveTheFiguresOfEachByItself) {
    ClockState probed{.kind = ClockState::Kind::probed};
    probed.fit.pieces = {{.reference = wall_time_from_ns(kStartNs), .offset = Nanos{300}, .skew = 40e-6}};
    const ClockState same{.kind = ClockState::Kind::one_clock};
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 engine(seed);
        const std::vector<ReceivedRecord> records = messy_arrivals(engine);
        ArrivalTimes times{.start = wall_time_from_ns(kStartNs), .sender_start = wall_time_from_ns(kStartNs)};
        times.clock = seed % 3 == 0 ? nullptr : seed % 3 == 1 ? &same : &probed;
        if (seed % 5 == 0) {
            times.selection = Selection{.until = Nanos{30'000'000}};
        }
        TimeSeries series_one(kInterval);
        TimeSeries series_other(kInterval);
        ReceivedAnalyzer one_by_one(times, series_one);
        ReceivedAnalyzer together(times, series_other);
        for (const ReceivedRecord& record : records) {
            one_by_one.add(record);
        }
        add_in_pieces(together, ReceivedBlock(records).columns(), engine);
        expect_equal(together.figures(nullptr), one_by_one.figures(nullptr));
        EXPECT_EQ(together.loss_pattern({}).lost, one_by_one.loss_pattern({}).lost);
        EXPECT_EQ(together.loss_pattern({}).periods.bins(), one_by_one.loss_pattern({}).periods.bins());
        EXPECT_EQ(together.delay_bound(), one_by_one.delay_bound());
        EXPECT_EQ(columns(series_other), columns(series_one));
    }
}

std::vector<SentRecord> messy_departures(std::mt19937_64& engine) {
    std::vector<SentRecord> records;
    const auto one_in = [&](unsigned n) { return engine() % n == 0; };
    std::uint64_t seq = 0;
    for (std::int64_t i = 0; i < 4000; ++i) {
        const auto batch = one_in(3) ? 1 + static_cast<std::uint32_t>(engine() % 40) : 1;
        SentRecord record = sent_packet(static_cast<std::uint32_t>(seq), i * 10'000);
        record.lateness = Nanos{static_cast<std::int64_t>(engine() % 20'000) - (one_in(9) ? 15'000 : 0)};
        record.sent_at += one_in(50) ? Nanos{-25'000} : record.lateness;
        record.sent_at = one_in(500) ? wall_time_from_ns(far_time(engine)) : record.sent_at;
        record.lateness = one_in(500) ? Nanos{far_time(engine)} : record.lateness;
        record.size = one_in(20) ? 4 + static_cast<std::uint32_t>(engine() % 20) : 64;
        record.batch = batch;
        const std::uint32_t whole = one_in(10) ? batch / 2 : batch;  // or some of it are lost
        for (std::uint32_t of_batch = 0; of_batch < whole; ++of_batch) {
            record.seq = seq++;
            records.push_back(record);
        }
        seq += one_in(100) ? engine() % 20 : 0;
    }
    return records;
}

TEST(RecordsTogether, DeparturesGiveTheFiguresOfEachByItself) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 engine(seed);
        const std::vector<SentRecord> records = messy_departures(engine);
        TimeSeries series_one(kInterval);
        TimeSeries series_other(kInterval);
        SentAnalyzer one_by_one(FlowSpec{}, wall_time_from_ns(kStartNs), true, series_one);
        SentAnalyzer together(FlowSpec{}, wall_time_from_ns(kStartNs), true, series_other);
        if (seed % 5 == 0) {
            one_by_one.only({.from = Nanos{5'000'000}});
            together.only({.from = Nanos{5'000'000}});
        }
        for (const SentRecord& record : records) {
            one_by_one.add(record);
        }
        add_in_pieces(together, SentBlock(records).columns(), engine);
        const SentFigures one = one_by_one.figures(nullptr);
        const SentFigures other = together.figures(nullptr);
        EXPECT_EQ(other.packets, one.packets);
        EXPECT_EQ(other.bytes, one.bytes);
        EXPECT_EQ(other.first_seq, one.first_seq);
        EXPECT_EQ(other.end_seq, one.end_seq);
        EXPECT_EQ(other.duration, one.duration);
        EXPECT_EQ(all_of(other.lateness_ns), all_of(one.lateness_ns));
        EXPECT_EQ(all_of(other.gaps_ns), all_of(one.gaps_ns));
        EXPECT_EQ(all_of(other.sizes), all_of(one.sizes));
        EXPECT_EQ(other.fidelity.behind, one.fidelity.behind);
        EXPECT_EQ(other.fidelity.late_packets, one.fidelity.late_packets);
        EXPECT_EQ(other.fidelity.alone, one.fidelity.alone);
        EXPECT_EQ(other.fidelity.largest_batch, one.fidelity.largest_batch);
        EXPECT_EQ(other.fidelity.batch_sizes.bins(), one.fidelity.batch_sizes.bins());
        EXPECT_EQ(other.fidelity.gap_error_ns.bins(), one.fidelity.gap_error_ns.bins());
        const auto variation = [](const SentFigures& it) { return it.fidelity.gap_variation.value_or(-1); };
        EXPECT_TRUE(variation(other) == variation(one) or
                    (std::isnan(variation(other)) and std::isnan(variation(one))));
        EXPECT_EQ(other.fidelity.batched, one.fidelity.batched);
        EXPECT_EQ(other.fidelity.gaps_within_100us, one.fidelity.gaps_within_100us);
        EXPECT_EQ(other.fidelity.scheduled, one.fidelity.scheduled);
        EXPECT_EQ(other.fidelity.sent, one.fidelity.sent);
        EXPECT_EQ(other.fidelity.gaps_within_1us, one.fidelity.gaps_within_1us);
        EXPECT_EQ(other.fidelity.gaps_within_10us, one.fidelity.gaps_within_10us);
        EXPECT_EQ(together.records(), one_by_one.records());
        EXPECT_EQ(together.times().size(), one_by_one.times().size());
        EXPECT_EQ(together.holes().numbers(), one_by_one.holes().numbers());
        EXPECT_EQ(columns(series_other), columns(series_one));
    }
}

}  // namespace
}  // namespace groma
