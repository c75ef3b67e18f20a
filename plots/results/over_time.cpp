#include "plots/results/over_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "plots/results/figure_thinner.hpp"
#include "plots/results/series_source.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

namespace {

constexpr std::size_t kSliceRows = 50'000;

/// Calls `read` with consecutive slices of complete intervals from `edge_s` on, until the last row is read, and `take`
/// with the result. A slice with too many rows is tried again at half its length, down to one interval, which is read
/// in any case.
template <typename Read, typename Take>
void for_each_slice(const SeriesExtent& extent, double edge_s, double interval_s, const Read& read, const Take& take) {
    const double start = std::min(edge_s, extent.first_s);
    const auto edge = [&](double intervals) { return start + intervals * interval_s; };
    double length = 64;
    for (double done = 0; edge(done) <= extent.last_s;) {
        const std::size_t most = length > 1 ? kSliceRows : std::numeric_limits<std::size_t>::max();
        const auto rows = read(TimeSlice{edge(done), edge(done + length), most});
        if (not rows) {
            length = std::max(1.0, std::floor(length / 2));
            continue;
        }
        take(*rows);
        done += length;
        std::size_t count = 0;
        std::ranges::for_each(*rows, [&](const auto& some) { count += some.size(); });
        length *= count < kSliceRows / 4 ? 2 : 1;
    }
}

constexpr const char* kDelayLoss = "delay-loss";

/// Delay and share lost of an interval in which something was sent and arrived.
std::optional<PicturePoint> delay_and_loss(const SeriesPoint& point) {
    if (not point.delay_mean_ns or not point.lost or point.sent_packets.value_or(0) <= 0) {
        return std::nullopt;
    }
    // Lost ones that left at the very edge of an interval may be more than were sent in it.
    return PicturePoint{*point.delay_mean_ns, std::min(100 * *point.lost / *point.sent_packets, 100.0)};
}

/// Calls `take` with the place of a flow and each of its dots.
template <typename Take>
void for_each_dot(const IntervalRows& slice, const Take& take) {
    for (std::size_t i = 0; i < slice.size(); ++i) {
        for (const SeriesPoint& point : slice[i]) {
            if (const auto dot = delay_and_loss(point)) {
                take(i, *dot);
            }
        }
    }
}

class OverTimeReader {
public:
    OverTimeReader(RunResults& run, const SeriesSource& source) : run_(run), source_(source) {}

    void read(const std::function<bool(const std::string&)>& wanted) {
        const auto intervals = source_.intervals();
        const auto samples = source_.samples();
        std::vector<FigureThinner> figures;
        for (const SeriesMeasure& measure : series_measures()) {
            const auto& extent = measure.of_connection == nullptr ? intervals : samples;
            const bool some = extent and wanted(measure.stem);
            figures.emplace_back(
                measure, FigureThinner::Options{some ? run_.flows.size() : 0, has_total(run_, measure), run_.interval_s,
                                                extent ? range_of(*extent) : AxisRange()});
            read_intervals_ = read_intervals_ or (some and measure.of_connection == nullptr);
            read_samples_ = read_samples_ or (some and measure.of_connection != nullptr);
            wanted_.push_back(some);
        }
        const bool dots = intervals and wanted(kDelayLoss);
        if (read_intervals_ or dots) {
            for_each_interval(*intervals, [&](const IntervalRows& slice) {
                add_to(figures, slice);
                for_each_dot(slice, [this](std::size_t, const PicturePoint& dot) { include(dot); });
            });
        }
        if (read_samples_) {
            const double edge = std::floor(samples->first_s / run_.interval_s) * run_.interval_s;
            for_each_slice(
                *samples, edge, run_.interval_s,
                [this](const TimeSlice& slice) { return source_.samples_within(slice); },
                [&](const SampleRows& slice) { add_to(figures, slice); });
        }
        for (FigureThinner& figure : figures) {
            run_.over_time.push_back(std::move(figure).finish());
        }
        if (dots and run_.delay_loss.most_lost > 0) {
            read_dots(*intervals);
        }
    }

private:
    /// As wide as the axis of time will be at most.
    [[nodiscard]] AxisRange range_of(const SeriesExtent& extent) const {
        return {std::min(0.0, extent.first_s), extent.last_s + run_.interval_s};
    }

    template <typename Take>
    void for_each_interval(const SeriesExtent& extent, const Take& take) const {
        // Starts of intervals are in the middle between edges: rounding moves none to another slice.
        const double edge = (std::floor(extent.first_s / run_.interval_s + 0.5) - 0.5) * run_.interval_s;
        for_each_slice(
            extent, edge, run_.interval_s, [this](const TimeSlice& slice) { return source_.intervals_within(slice); },
            take);
    }

    template <typename Rows>
    void add_to(std::vector<FigureThinner>& figures, const Rows& slice) const {
        for (std::size_t i = 0; i < figures.size(); ++i) {
            if (wanted_[i]) {
                figures[i].add(slice);
            }
        }
    }

    void include(const PicturePoint& dot) {
        DelayLoss& it = run_.delay_loss;
        it.delay_ns = any_dot_ ? AxisRange{std::min(it.delay_ns.low, dot.x), std::max(it.delay_ns.high, dot.x)}
                               : AxisRange{dot.x, dot.x};
        it.most_lost = std::max(it.most_lost, dot.y);
        any_dot_ = true;
    }

    /// One dot of each flow at each place where there is any; of many flows how many there are in each cell.
    void read_dots(const SeriesExtent& extent) {
        DelayLoss& it = run_.delay_loss;
        const bool many = run_.flows.size() > kMostDotted;
        it.flows.resize(many ? 0 : run_.flows.size());
        const Grid columns(delay_axis(it), false, many ? kDelayLossColumns : kColumns);
        const Grid rows(loss_axis(it), false, many ? kDelayLossRows : kColumns / 2);
        std::vector<std::set<std::pair<std::int64_t, std::int64_t>>> taken(it.flows.size());
        for_each_interval(extent, [&](const IntervalRows& slice) {
            for_each_dot(slice, [&](std::size_t flow, const PicturePoint& dot) {
                const std::pair place(columns(dot.x), rows(dot.y));
                if (many) {
                    it.cells[place] += 1;
                } else if (taken[flow].insert(place).second) {
                    it.flows[flow].push_back(dot);
                }
            });
        });
    }

    RunResults& run_;
    const SeriesSource& source_;
    std::vector<bool> wanted_;
    bool read_intervals_ = false;
    bool read_samples_ = false;
    bool any_dot_ = false;
};

}  // namespace

bool has_total(const RunResults& run, const SeriesMeasure& measure) {
    return run.one == CurveOf::flow and measure.of_connection == nullptr and measure.quantity != Quantity::nanoseconds;
}

AxisRange delay_axis(const DelayLoss& it) {
    return roomy_range(it.delay_ns.low, it.delay_ns.high);
}

AxisRange loss_axis(const DelayLoss& it) {
    return {0, 1.05 * it.most_lost};
}

void read_over_time(RunResults& run, const SeriesSource& source,
                    const std::function<bool(const std::string&)>& wanted) {
    OverTimeReader(run, source).read(wanted);
}

}  // namespace groma
