// Values that were observed, in the order of their size: what distributions are fitted to and compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace groma {

/// Each value once, rising, with how often it was seen. Values are whole multiples of `resolution`: nanoseconds of a
/// clock that may tell only microseconds apart, or bytes.
struct Sample {
    std::vector<double> values;
    std::vector<std::uint64_t> counts;  ///< as many as values
    std::uint64_t total = 0;            ///< of all counts
    double resolution = 1;

    /// Returns: the smallest value that at least so large a share of all do not exceed. Requires: total > 0.
    [[nodiscard]] double quantile(double probability) const;
    [[nodiscard]] double mean() const;
    /// `values[i]` for a family that has no 0: half of what the resolution tells apart in its place.
    [[nodiscard]] double positive(std::size_t i) const { return values[i] > 0 ? values[i] : resolution / 2; }
    [[nodiscard]] double mean_logarithm() const;

    /// The mean of `of(i)` over all values.
    template <typename Of>
    [[nodiscard]] double mean_of(Of of) const {
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            sum += static_cast<double>(counts[i]) * of(i);
        }
        return sum / static_cast<double>(total);
    }
};

/// Requires: no negative values.
[[nodiscard]] Sample make_sample(std::vector<std::int64_t> values, double resolution = 1);

}  // namespace groma
