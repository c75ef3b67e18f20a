#include "plots/results/compared_series.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "plots/results/sqlite_series.hpp"

namespace groma {

namespace {

using Value = std::optional<double> SeriesPoint::*;

/// A sum that is unknown as soon as one of its parts is.
class Sum {
public:
    void add(const std::optional<double>& value) {
        value_ += value.value_or(0);
        known_ = known_ and value.has_value();
        some_ = true;
    }
    [[nodiscard]] std::optional<double> result() const {
        return some_ and known_ ? std::optional(value_) : std::nullopt;
    }

private:
    double value_ = 0;
    bool known_ = true;
    bool some_ = false;
};

/// A mean over what is known, with its extremes.
class WeightedMean {
public:
    void add(const std::optional<double>& mean, const std::optional<double>& low, const std::optional<double>& high,
             double weight) {
        if (mean) {
            sum_ += *mean * weight;
            weight_ += weight;
        }
        low_ = low and (not low_ or *low < *low_) ? low : low_;
        high_ = high and (not high_ or *high > *high_) ? high : high_;
    }
    void put(SeriesPoint& point, Value mean, Value low, Value high) const {
        if (weight_ > 0) {
            point.*mean = sum_ / weight_;
        }
        point.*low = low_;
        point.*high = high_;
    }
    [[nodiscard]] std::optional<double> mean() const {
        return weight_ > 0 ? std::optional(sum_ / weight_) : std::nullopt;
    }

private:
    double sum_ = 0;
    double weight_ = 0;
    std::optional<double> low_;
    std::optional<double> high_;
};

/// All flows in one interval.
struct IntervalTotal {
    double start_s = 0;
    Sum sent;
    Sum received;
    Sum bytes;
    Sum lost;
    WeightedMean delay;
    WeightedMean jitter;
    WeightedMean round_trip;

    void add(const SeriesPoint& point, bool first_receiver) {
        start_s = point.start_s;
        if (first_receiver) {
            sent.add(point.sent_packets);
        }
        received.add(point.received_packets);
        bytes.add(point.received_bytes);
        lost.add(point.lost);
        const double weight = std::max(point.received_packets.value_or(1), 1.0);
        delay.add(point.delay_mean_ns, point.delay_min_ns, point.delay_max_ns, weight);
        jitter.add(point.jitter_ns, {}, {}, weight);
        round_trip.add(point.rtt_mean_ns, point.rtt_min_ns, point.rtt_max_ns, weight);
    }

    [[nodiscard]] SeriesPoint point(double interval_s) const {
        const auto per_second = [interval_s](const std::optional<double>& amount, double of_each) {
            return amount ? std::optional(*amount * of_each / interval_s) : std::nullopt;
        };
        SeriesPoint total;
        total.start_s = start_s;
        total.sent_packets = sent.result();
        total.received_packets = received.result();
        total.throughput_bps = per_second(bytes.result(), 8);
        total.packet_rate_pps = per_second(received.result(), 1);
        total.sent_rate_pps = per_second(sent.result(), 1);
        total.lost = lost.result();
        total.jitter_ns = jitter.mean();
        delay.put(total, &SeriesPoint::delay_mean_ns, &SeriesPoint::delay_min_ns, &SeriesPoint::delay_max_ns);
        round_trip.put(total, &SeriesPoint::rtt_mean_ns, &SeriesPoint::rtt_min_ns, &SeriesPoint::rtt_max_ns);
        return total;
    }
};

std::optional<SeriesExtent> all_of(const std::optional<SeriesExtent>& a, const std::optional<SeriesExtent>& b) {
    return a and b ? SeriesExtent{std::min(a->first_s, b->first_s), std::max(a->last_s, b->last_s)} : a ? a : b;
}

}  // namespace

std::vector<SeriesPoint> total_series(const IntervalRows& flows, const std::vector<std::int64_t>& receivers,
                                      double interval_s) {
    std::map<double, IntervalTotal> intervals;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        for (const SeriesPoint& point : flows[i]) {
            intervals[std::floor(point.start_s / interval_s + 0.5)].add(point, receivers[i] == 1);
        }
    }
    std::vector<SeriesPoint> series;
    series.reserve(intervals.size());
    for (const auto& [index, total] : intervals) {
        series.push_back(total.point(interval_s));
    }
    return series;
}

ComparedSeries::ComparedSeries(const std::vector<ResultsFile>& files) {
    for (const ResultsFile& file : files) {
        for (const RunResults& run : file.runs) {
            Run& one = runs_.emplace_back();
            one.source = std::make_unique<SqliteSeries>(file.path, run);
            one.interval_s = run.interval_s;
            for (const FlowResults& flow : run.flows) {
                one.receivers.push_back(flow.receiver);
            }
            intervals_ = all_of(intervals_, one.source->intervals());
        }
    }
}

std::optional<IntervalRows> ComparedSeries::intervals_within(const TimeSlice& slice) const {
    IntervalRows totals;
    TimeSlice left = slice;
    for (const Run& run : runs_) {
        const auto flows = run.source->intervals_within(left);
        if (not flows) {
            return std::nullopt;
        }
        totals.push_back(total_series(*flows, run.receivers, run.interval_s));
        left.most_rows -= std::min(left.most_rows, totals.back().size());
    }
    return totals;
}

}  // namespace groma
