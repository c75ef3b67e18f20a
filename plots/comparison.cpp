#include "plots/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/human.hpp"
#include "plots/distributions.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxName = 36;

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
    Sum throughput;
    Sum rate;
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
        throughput.add(point.throughput_bps);
        rate.add(point.packet_rate_pps);
        lost.add(point.lost);
        const double weight = std::max(point.received_packets.value_or(1), 1.0);
        delay.add(point.delay_mean_ns, point.delay_min_ns, point.delay_max_ns, weight);
        jitter.add(point.jitter_ns, {}, {}, weight);
        round_trip.add(point.rtt_mean_ns, point.rtt_min_ns, point.rtt_max_ns, weight);
    }

    [[nodiscard]] SeriesPoint point() const {
        SeriesPoint total;
        total.start_s = start_s;
        total.sent_packets = sent.result();
        total.received_packets = received.result();
        total.throughput_bps = throughput.result();
        total.packet_rate_pps = rate.result();
        total.lost = lost.result();
        total.jitter_ns = jitter.mean();
        delay.put(total, &SeriesPoint::delay_mean_ns, &SeriesPoint::delay_min_ns, &SeriesPoint::delay_max_ns);
        round_trip.put(total, &SeriesPoint::rtt_mean_ns, &SeriesPoint::rtt_min_ns, &SeriesPoint::rtt_max_ns);
        return total;
    }
};

std::vector<SeriesPoint> total_series(const RunResults& run) {
    std::map<std::int64_t, IntervalTotal> intervals;
    for (const FlowResults& flow : run.flows) {
        for (const SeriesPoint& point : flow.series) {
            const auto index = static_cast<std::int64_t>(std::floor(point.start_s / run.interval_s + 0.5));
            intervals[index].add(point, flow.receiver == 1);
        }
    }
    std::vector<SeriesPoint> series;
    series.reserve(intervals.size());
    for (const auto& [index, total] : intervals) {
        series.push_back(total.point());
    }
    return series;
}

std::map<std::string, std::vector<HistogramBin>> total_histograms(const RunResults& run) {
    std::map<std::string, std::vector<const std::vector<HistogramBin>*>> parts;
    for (const FlowResults& flow : run.flows) {
        for (const auto& [kind, bins] : flow.histograms) {
            if (not bins.empty()) {
                parts[kind].push_back(&bins);
            }
        }
    }
    std::map<std::string, std::vector<HistogramBin>> histograms;
    for (const auto& [kind, some] : parts) {
        histograms[kind] = merged(some);
    }
    return histograms;
}

using Names = std::vector<std::string>;

bool all_differ(const Names& names) {
    return std::set(names.begin(), names.end()).size() == names.size() and
           std::ranges::none_of(names, [](const std::string& name) { return name.empty(); });
}

/// A name for each run, by `name_of`.
Names named_by(const std::vector<ResultsFile>& files,
               const std::function<std::string(const ResultsFile&, std::size_t run)>& name_of) {
    Names names;
    for (const ResultsFile& file : files) {
        for (std::size_t run = 0; run < file.runs.size(); ++run) {
            names.push_back(plain_text(name_of(file, run), kMaxName));
        }
    }
    return names;
}

std::string folder_of(const ResultsFile& file) {
    return std::filesystem::weakly_canonical(file.path).parent_path().filename().string();
}

std::string numbered(const ResultsFile& file, std::size_t run) {
    const std::string name = file.path.stem().string();
    return file.runs.size() > 1 ? fmt::format("{} run {}", name, run + 1) : name;
}

}  // namespace

std::vector<std::string> run_names(const std::vector<ResultsFile>& files) {
    for (const auto& way : {
             named_by(files, [](const ResultsFile&file, std::size_t run) { return file.runs[run].experiment; }),
             named_by(files, numbered),
             named_by(files, [](const ResultsFile&file, std::size_t) { return folder_of(file); }),
             named_by(files,
                      [](const ResultsFile&file, std::size_t run) {
                          return fmt::format("{}/{}", folder_of(file), numbered(file, run));
                      }),
         }) {
        if (all_differ(way)) {
            return way;
        }
    }
    Names names = named_by(files, numbered);
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i] = fmt::format("{}: {}", i + 1, names[i]);
    }
    return names;
}

FlowResults total_of(const RunResults& run) {
    FlowResults total;
    total.series = total_series(run);
    total.histograms = total_histograms(run);
    total.asked_gaps = asked_mixture(run);
    total.lambda2 = run.lambda2;
    return total;
}

RunResults compared(const std::vector<ResultsFile>& files) {
    const Names names = run_names(files);
    RunResults all;
    all.one = CurveOf::run;
    all.clock = "one clock";
    std::size_t number = 0;
    for (const ResultsFile& file : files) {
        for (const RunResults& run : file.runs) {
            if (number > 0 and run.interval_s != all.interval_s) {
                throw UsageError(fmt::format(
                    "cannot compare: {} has intervals of {} s, and {} of {} s; decode both with one --interval",
                    names[0], significant(all.interval_s), names[number], significant(run.interval_s)));
            }
            all.interval_s = run.interval_s;
            FlowResults total = total_of(run);
            total.name = names[number];
            total.flow = static_cast<std::int64_t>(++number);
            all.flows.push_back(std::move(total));
            all.clock = run.clock == "relative" ? run.clock : all.clock;
            all.clock_bound_ns = std::max(all.clock_bound_ns.value_or(0), run.clock_bound_ns.value_or(0));
        }
    }
    return all;
}

}  // namespace groma
