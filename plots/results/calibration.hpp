// The points of a calibration (groma-send --calibrate) as values, read from its database (docs/guide/calibration.md).
// Unknown values are absent; all others are finite.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/stats/fit/sample_statistics.hpp"

namespace groma {

/// What distinguishes curves.
struct CalibrationSeries {
    std::string distribution;
    std::int64_t size_bytes = 0;
    std::string logging;
    auto operator<=>(const CalibrationSeries&) const = default;
};

/// All repetitions of a point of the sweep.
struct CalibrationPoint {
    CalibrationSeries series;
    double rate_pps = 0;
    std::map<std::string, MedianRange> figures;  ///< of the repetitions, by name: "sent_pps", "lambda2", ...
};

/// The gaps of one point in bins of time, beside those of its model.
struct GapDensity {
    CalibrationSeries series;
    double rate_pps = 0;
    struct Bin {
        double low_ns = 0;
        double high_ns = 0;
        double count = 0;
        double asked_share = 0;
    };
    std::vector<Bin> bins;  ///< rising, without the open one at the end
    double gaps = 0;        ///< all of them, also those outside the bins
};

struct CalibrationResults {
    std::string title;                     ///< "alpha to beta"
    std::vector<CalibrationPoint> points;  ///< series in the order of their first measurement, rates rising
    std::vector<GapDensity> densities;
};

/// Whether the file is of this kind; false if it cannot be read.
[[nodiscard]] bool is_calibration(const std::filesystem::path& file) noexcept;

/// Throws: RunError when the file cannot be read or is of another version.
[[nodiscard]] CalibrationResults read_calibration_results(const std::filesystem::path& file);

}  // namespace groma
