#include "plots/results/sqlite_series.hpp"

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/sqlite/database_kind.hpp"

namespace groma {

namespace {

// Thirty years: no measurement is farther from the start of its run.
constexpr double kFarthest_s = 1e9;

// A rate over less of an interval says little: one packet in the last microseconds of a run makes a peak.
constexpr double kLeastCovered = 0.1;

// With INDEXED BY, SQLite refuses a query that would read the complete table for each flow and slice.
constexpr const char* kIntervalExtent =
    "SELECT (SELECT MIN(t_s) FROM series INDEXED BY series_by_flow WHERE run = ?1 AND flow = ?2 AND receiver = ?3), "
    "(SELECT MAX(t_s) FROM series INDEXED BY series_by_flow WHERE run = ?1 AND flow = ?2 AND receiver = ?3)";
constexpr const char* kSampleExtent =
    "SELECT (SELECT MIN(t_s) FROM connection INDEXED BY connection_by_flow WHERE run = ?1 AND flow = ?2 AND receiver = "
    "?3 AND side = 'sender'), (SELECT MAX(t_s) FROM connection INDEXED BY connection_by_flow WHERE run = ?1 AND flow = "
    "?2 AND receiver = ?3 AND side = 'sender')";
constexpr const char* kIntervals =
    "SELECT t_s, sent_packets, received_packets, throughput_bps, packet_rate_pps, delay_mean_ns, delay_min_ns, "
    "delay_max_ns, jitter_ns, lost, rtt_mean_ns, rtt_min_ns, rtt_max_ns, sent_rate_pps, received_bytes, covered_s, "
    "sent_covered_s FROM series INDEXED BY series_by_flow WHERE run = ? AND flow = ? AND receiver = ? AND t_s >= ? AND "
    "t_s < ? ORDER BY t_s";
/// The sender's side has more figures: it retransmits.
constexpr const char* kSamples =
    "SELECT t_s, rtt_ns, cwnd, retransmitted FROM connection INDEXED BY connection_by_flow WHERE run = ? AND flow = ? "
    "AND receiver = ? AND side = 'sender' AND t_s >= ? AND t_s < ? ORDER BY t_s";

/// `least_covered_s`: of the interval, for its rates to be known.
SeriesPoint interval_of(const SQLite::Statement& row, double least_covered_s) {
    SeriesPoint point;
    point.start_s = number_at(row, 0).value_or(0);
    point.sent_packets = number_at(row, 1);
    point.received_packets = number_at(row, 2);
    point.throughput_bps = number_at(row, 3);
    point.packet_rate_pps = number_at(row, 4);
    point.delay_mean_ns = number_at(row, 5);
    point.delay_min_ns = number_at(row, 6);
    point.delay_max_ns = number_at(row, 7);
    point.jitter_ns = number_at(row, 8);
    point.lost = number_at(row, 9);
    point.rtt_mean_ns = number_at(row, 10);
    point.rtt_min_ns = number_at(row, 11);
    point.rtt_max_ns = number_at(row, 12);
    point.sent_rate_pps = number_at(row, 13);
    point.received_bytes = number_at(row, 14);
    if (number_at(row, 15).value_or(least_covered_s) < least_covered_s) {
        point.throughput_bps.reset();
        point.packet_rate_pps.reset();
    }
    if (number_at(row, 16).value_or(least_covered_s) < least_covered_s) {
        point.sent_rate_pps.reset();
    }
    return point;
}

ConnectionPoint sample_of(const SQLite::Statement& row) {
    return {number_at(row, 0).value_or(0), number_at(row, 1), number_at(row, 2), number_at(row, 3)};
}

[[noreturn]] void refuse(const std::filesystem::path& file, const SQLite::Exception& error) {
    throw RunError("cannot read the series in " + file.string() + ": " + error.what() +
                   "; the file is damaged, or was made by something else: decode the logs again");
}

}  // namespace

SqliteSeries::SqliteSeries(std::filesystem::path file, const RunResults& run) : file_(std::move(file)), run_(run.id) {
    for (const FlowResults& flow : run.flows) {
        flows_.emplace_back(flow.flow, flow.receiver);
    }
    intervals_ = extent_by(kIntervalExtent);
    if (intervals_ and intervals_->first_s < intervals_->last_s) {
        least_covered_s_ = kLeastCovered * run.interval_s;
    }
    samples_ = extent_by(kSampleExtent);
}

std::optional<SeriesExtent> SqliteSeries::extent_by(const char* query) const {
    std::optional<SeriesExtent> all;
    try {
        const SQLite::Database database = open_to_read(file_);
        SQLite::Statement row(database, query);
        for (const auto& [flow, receiver] : flows_) {
            row.reset();
            row.bind(1, run_);
            row.bind(2, flow);
            row.bind(3, receiver);
            if (not row.executeStep() or (row.getColumn(0).isNull() and row.getColumn(1).isNull())) {
                continue;
            }
            const auto first = number_at(row, 0);
            const auto last = number_at(row, 1);
            if (not first or not last or *first < -kFarthest_s or *last > kFarthest_s) {
                throw RunError("cannot draw " + file_.string() + ": flow " + std::to_string(flow) +
                               " has rows more than 30 years from the start of the run; decode the logs again");
            }
            all = all ? SeriesExtent{std::min(all->first_s, *first), std::max(all->last_s, *last)}
                      : SeriesExtent{*first, *last};
        }
    } catch (const SQLite::Exception& error) {
        refuse(file_, error);
    }
    return all;
}

template <typename Point, typename Read>
std::optional<std::vector<std::vector<Point>>> SqliteSeries::rows_by(const char* query, const TimeSlice& slice,
                                                                     const Read& read) const {
    std::vector<std::vector<Point>> rows(flows_.size());
    std::size_t count = 0;
    try {
        const SQLite::Database database = open_to_read(file_);
        SQLite::Statement row(database, query);
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            row.reset();
            row.bind(1, run_);
            row.bind(2, flows_[i].first);
            row.bind(3, flows_[i].second);
            row.bind(4, slice.from_s);
            row.bind(5, slice.until_s);
            while (row.executeStep()) {
                if (++count > slice.most_rows) {
                    return std::nullopt;
                }
                rows[i].push_back(read(row));
            }
        }
    } catch (const SQLite::Exception& error) {
        refuse(file_, error);
    }
    return rows;
}

std::optional<IntervalRows> SqliteSeries::intervals_within(const TimeSlice& slice) const {
    return rows_by<SeriesPoint>(kIntervals, slice,
                                [this](const SQLite::Statement& row) { return interval_of(row, least_covered_s_); });
}

std::optional<SampleRows> SqliteSeries::samples_within(const TimeSlice& slice) const {
    return rows_by<ConnectionPoint>(kSamples, slice, sample_of);
}

}  // namespace groma
