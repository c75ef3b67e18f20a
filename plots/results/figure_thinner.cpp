#include "plots/results/figure_thinner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace groma {

namespace {

constexpr std::array kSpread{0.0, 0.1, 0.5, 0.9, 1.0};

/// The value that `fraction` of the values do not exceed (nearest rank). Reorders them.
double quantile(std::vector<double>& values, double fraction) {
    const double rank = std::ceil(fraction * static_cast<double>(values.size()));
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace

FigureThinner::FigureThinner(const SeriesMeasure& measure, const Options& options)
    : measure_(measure),
      options_(options),
      low_(options.range),
      high_(options.range),
      last_span_s_(std::numeric_limits<double>::lowest()),
      time_{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()},
      known_(options.flows),
      mean_(options.range) {
    if (options.flows > kMostCurves) {
        spread_.assign(kSpread.size(), ThinLine(options.range));
    } else {
        flows_.assign(options.flows, FlowLine{ThinLine(options.range)});
    }
}

FigureThinner::Sample FigureThinner::sample_of(const SeriesPoint& point) const {
    return {point.start_s + options_.interval_s / 2, measure_.value(point)};
}

FigureThinner::Sample FigureThinner::sample_of(const ConnectionPoint& point) const {
    return {point.at_s, measure_.of_connection(point)};
}

void FigureThinner::widen_time(double at_s) {
    time_ = {std::min(time_.low, at_s), std::max(time_.high, at_s)};
}

void FigureThinner::add_to(FlowLine& flow, const Sample& sample) {
    const bool next = measure_.of_connection != nullptr or sample.at_s - flow.last_s < 1.5 * options_.interval_s;
    flow.last_s = sample.at_s;
    if (sample.value) {
        flow.line.add({sample.at_s, *sample.value}, flow.connected and next);
        widen_time(sample.at_s);
    }
    flow.connected = sample.value.has_value();
}

void FigureThinner::add_span(const SeriesPoint& point) {
    const auto low = measure_.low(point);
    const auto high = measure_.high(point);
    if (low and high) {
        const double at_s = point.start_s + options_.interval_s / 2;
        const bool connected = at_s - last_span_s_ <= 1.5 * options_.interval_s;
        low_.add({at_s, *low}, connected);
        high_.add({at_s, *high}, connected);
        last_span_s_ = at_s;
    }
}

void FigureThinner::add_spread(std::map<std::int64_t, std::vector<double>>& intervals) {
    for (auto& [index, values] : intervals) {
        const bool connected = measure_.of_connection != nullptr or index <= last_interval_ + 1;
        last_interval_ = index;
        const double at_s = (static_cast<double>(index) + 0.5) * options_.interval_s;
        widen_time(at_s);
        const auto count = static_cast<double>(options_.with_total ? options_.flows : values.size());
        // Divided one by one: the sum of any values is finite.
        mean_.add({at_s, std::accumulate(values.begin(), values.end(), 0.0,
                                         [count](double sum, double value) { return sum + value / count; })},
                  connected);
        for (std::size_t i = 0; i < kSpread.size(); ++i) {
            spread_[i].add({at_s, quantile(values, kSpread[i])}, connected);
        }
    }
}

template <typename Row>
void FigureThinner::add_rows(const std::vector<std::vector<Row>>& slice) {
    std::map<std::int64_t, std::vector<double>> intervals;
    for (std::size_t i = 0; i < slice.size(); ++i) {
        for (const Row& row : slice[i]) {
            const Sample sample = sample_of(row);
            if (measure_.of_connection != nullptr and sample.at_s < 0) {
                continue;  // connected, and not yet started
            }
            gaps_ = gaps_ or not sample.value;
            known_[i] = known_[i] or sample.value;
            if (spread_.empty()) {
                add_to(flows_[i], sample);
            } else if (sample.value) {
                const double index = std::floor(sample.at_s / options_.interval_s);
                intervals[static_cast<std::int64_t>(std::clamp(index, -1e18, 1e18))].push_back(*sample.value);
            }
        }
    }
    add_spread(intervals);
}

void FigureThinner::add(const IntervalRows& slice) {
    if (measure_.of_connection != nullptr) {
        return;
    }
    add_rows(slice);
    if (options_.flows == 1 and measure_.low != nullptr) {
        std::ranges::for_each(slice.front(), [this](const SeriesPoint& point) { add_span(point); });
    }
}

void FigureThinner::add(const SampleRows& slice) {
    if (measure_.of_connection != nullptr) {
        add_rows(slice);
    }
}

FigureLines FigureThinner::finish() && {
    FigureLines lines;
    lines.time = time_;
    lines.gaps = gaps_ or std::ranges::find(known_, false) != known_.end();
    for (FlowLine& flow : flows_) {
        lines.flows.push_back(std::move(flow.line).finish());
    }
    lines.low = std::move(low_).finish();
    lines.high = std::move(high_).finish();
    if (not spread_.empty()) {
        SpreadLines& spread = lines.spread;
        spread.mean = std::move(mean_).finish();
        ThinnedLine* const places[] = {&spread.lowest, &spread.tenth, &spread.median, &spread.ninetieth,
                                       &spread.highest};
        for (std::size_t i = 0; i < spread_.size(); ++i) {
            *places[i] = std::move(spread_[i]).finish();
        }
    }
    return lines;
}

}  // namespace groma
