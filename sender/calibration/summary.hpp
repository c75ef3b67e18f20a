// Summarizes the repetitions of a point: median and spread of each figure. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "common/stats/fit/sample_statistics.hpp"
#include "sender/calibration/calibration_plan.hpp"
#include "sender/calibration/point_result.hpp"

namespace groma {

/// All repetitions of one sweep point.
struct PointSummary {
    Series series;
    double rate_pps = 0;
    std::vector<PointResult> repetitions;

    /// Empty if no repetition has the figure.
    [[nodiscard]] std::optional<MedianRange> figure(std::string_view name) const;
    /// The same of what `of` makes of the figures of one repetition.
    [[nodiscard]] std::optional<MedianRange> figure(
        const std::function<std::optional<double>(const PointFigures&)>& of) const;
    /// The worst of the verdicts.
    [[nodiscard]] const PointResult& worst() const;
};

/// The sweep's points, by series in the order of `settings`, then by rising rate.
[[nodiscard]] std::vector<PointSummary> summaries(const CalibrationSettings& settings,
                                                  const std::vector<PointResult>& results);

/// The points of one series.
[[nodiscard]] std::vector<PointSummary> of_series(const std::vector<PointSummary>& all, const Series& series);

}  // namespace groma
