// All results of docs/guide/fit.md for one process of a flow, its gaps or its sizes: collects values in bounded memory,
// then fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/stats/fit/autocorrelation.hpp"
#include "common/stats/fit/family_fit.hpp"
#include "common/stats/fit/reservoir.hpp"

namespace groma {

struct QuantilePoint {
    double probability = 0;
    double observed = 0;
    double model = 0;
};

/// A bin of a histogram, from low to below high.
struct DensityBin {
    double low = 0;
    double high = 0;
    std::uint64_t count = 0;
    double expected = 0;  ///< by the model
};

/// For the best family; empty without one.
[[nodiscard]] std::vector<QuantilePoint> quantile_points(const Sample& sample, const Distribution& model);

/// About `bins` bins of equal width with edges between multiples of the resolution, up to the 99.5th percentile; the
/// last one has everything beyond. Counts are the sample's.
[[nodiscard]] std::vector<DensityBin> density_bins(const Sample& sample, const Distribution& model, std::size_t bins);

struct ProcessFit {
    std::uint64_t values = 0;  ///< number of all values
    double mean = 0;           ///< of all of them; the figures below are of the sample
    double deviation = 0;
    Sample sample;
    std::vector<FamilyFit> families;  ///< best first
    std::vector<QuantilePoint> quantiles;
    std::vector<DensityBin> densities;
    std::vector<double> autocorrelation;  ///< of all values, from lag 1 on; empty if they are equal
    double band = 0;                      ///< 95 % of those of independent values are within plus or minus this

    /// The mean of all values, where the sample has only some of them.
    [[nodiscard]] std::optional<double> mean_beyond_sample() const {
        return values > sample.total ? std::optional(mean) : std::nullopt;
    }
};

enum class ProcessKind : std::uint8_t { gaps, sizes };

class ProcessMeter {
public:
    ProcessMeter(std::size_t most_values, std::size_t lags) : chosen_(most_values), dependence_(lags) {}

    /// Requires: not negative.
    void add(std::int64_t value) {
        chosen_.add(value);
        dependence_.add(static_cast<double>(value));
    }
    void hold_to(std::size_t most_values) { chosen_.hold_to(most_values); }
    [[nodiscard]] std::size_t held() const { return chosen_.values().size(); }

    /// `constant_within`: as in FitRules.
    [[nodiscard]] ProcessFit fit(ProcessKind kind, double constant_within) const;

private:
    Reservoir chosen_;
    Autocorrelation dependence_;
};

}  // namespace groma
