// Results of groma-dec fit, as values, read from its SQLite file. Unknown values are absent; all others are finite.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/stats/fit/process_fit.hpp"

namespace groma {

/// A family of distributions that was fitted.
struct FittedFamily {
    std::string text;  ///< as a profile has it: "exp:1000pps"
    std::string family;
    std::optional<double> lambda2;
    std::optional<double> ks;
    std::optional<double> a2;
};

struct FitBin {
    double low = 0;
    double high = 0;
    double count = 0;
    std::optional<double> model;  ///< values that the family would have in it
};

/// A value at a lag, a scale or an octave.
struct FitPoint {
    double x = 0;
    double y = 0;
    std::optional<double> low;
    std::optional<double> high;
};

/// Of gaps, or of sizes.
struct FittedValues {
    std::vector<FittedFamily> families;    ///< best first
    std::vector<QuantilePoint> quantiles;  ///< against the best; probabilities rising
    std::vector<FitBin> bins;              ///< rising
    std::vector<FitPoint> autocorrelation;
    double white_noise = 0;  ///< half the band that holds 95 % of uncorrelated values
};

struct FittedHurst {
    double value = 0;
    double from_s = 0;  ///< scales that it is from
    double to_s = 0;
};

struct FittedTraffic {
    std::int64_t id = 0;
    std::string name;  ///< for a key: safe to show, cut if long
    double packets = 0;
    std::map<std::string, FittedValues> values;            ///< "gap" in ns, "size" in bytes
    std::vector<FitPoint> dispersion;                      ///< index of dispersion for counts, by scale in s
    std::vector<FitPoint> variance_time;                   ///< variance of the rate in windows, by scale in s
    std::vector<FitPoint> wavelet;                         ///< by octave: log2 of the energy
    std::vector<std::pair<double, double>> octave_scales;  ///< octave and its scale in s
    std::map<std::string, FittedHurst> hurst;              ///< by method
};

/// Whether the file is of this kind; false if it cannot be read.
[[nodiscard]] bool is_fit(const std::filesystem::path& file) noexcept;

/// Most packets first. Throws: RunError when the file cannot be read or is of another version.
[[nodiscard]] std::vector<FittedTraffic> read_fit(const std::filesystem::path& file);

}  // namespace groma
