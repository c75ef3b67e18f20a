// Series in memory, for tests.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "plots/results/series_measures.hpp"
#include "plots/results/series_source.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

/// Rows rise in time.
class MemorySeries : public SeriesSource {
public:
    explicit MemorySeries(IntervalRows intervals, SampleRows samples = {})
        : intervals_(std::move(intervals)), samples_(std::move(samples)) {}

    [[nodiscard]] std::optional<SeriesExtent> intervals() const override { return extent(intervals_); }
    [[nodiscard]] std::optional<SeriesExtent> samples() const override { return extent(samples_); }
    [[nodiscard]] std::optional<IntervalRows> intervals_within(const TimeSlice& slice) const override {
        return within(intervals_, slice);
    }
    [[nodiscard]] std::optional<SampleRows> samples_within(const TimeSlice& slice) const override {
        return within(samples_, slice);
    }

    mutable std::size_t most_at_once = 0;  ///< rows of the largest slice that was read

private:
    static double time_of(const SeriesPoint& point) { return point.start_s; }
    static double time_of(const ConnectionPoint& point) { return point.at_s; }

    template <typename Row>
    static std::optional<SeriesExtent> extent(const std::vector<std::vector<Row>>& rows) {
        std::optional<SeriesExtent> all;
        for (const auto& flow : rows) {
            if (not flow.empty()) {
                all = {std::min(all ? all->first_s : time_of(flow.front()), time_of(flow.front())),
                       std::max(all ? all->last_s : time_of(flow.back()), time_of(flow.back()))};
            }
        }
        return all;
    }

    template <typename Row>
    std::optional<std::vector<std::vector<Row>>> within(const std::vector<std::vector<Row>>& rows,
                                                        const TimeSlice& slice) const {
        std::vector<std::vector<Row>> some;
        std::size_t count = 0;
        for (const auto& flow : rows) {
            const auto time = [](const Row& row) { return time_of(row); };
            const auto first = std::ranges::lower_bound(flow, slice.from_s, {}, time);
            const auto end = std::ranges::lower_bound(flow, slice.until_s, {}, time);
            some.emplace_back(first, end);
            count += some.back().size();
        }
        if (count > slice.most_rows) {
            return std::nullopt;
        }
        most_at_once = std::max(most_at_once, count);
        return some;
    }

    IntervalRows intervals_;
    SampleRows samples_;
};

inline const SeriesMeasure& measure_named(const std::string& stem) {
    return *std::ranges::find_if(series_measures(), [&](const SeriesMeasure& each) { return each.stem == stem; });
}

/// A run whose flows are called "a", "b", ...
inline RunResults run_over_time(const MemorySeries& series, std::size_t flows) {
    RunResults run;
    for (std::size_t i = 0; i < flows; ++i) {
        run.flows.emplace_back().name = std::string(1, static_cast<char>('a' + i % 26));
    }
    read_over_time(run, series, [](const std::string&) { return true; });
    return run;
}

}  // namespace groma
