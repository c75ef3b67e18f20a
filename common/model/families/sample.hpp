// Observed values, sorted: distributions are fitted to them and compared with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace groma {

/// Each value once, ascending, with its number of occurrences. Values are multiples of `resolution`: nanoseconds of a
/// clock that may resolve only microseconds, or bytes.
struct Sample {
    std::vector<double> values;
    std::vector<std::uint64_t> counts;  ///< as many as values
    std::uint64_t total = 0;            ///< the sum of all counts
    double resolution = 1;

    /// Returns: the smallest value with at least this share of all values at or below it. Requires: total > 0.
    [[nodiscard]] double quantile(double probability) const;
    [[nodiscard]] double mean() const;
    /// `values[i]` for a family without 0: half the resolution replaces a 0.
    [[nodiscard]] double positive(std::size_t i) const { return values[i] > 0 ? values[i] : resolution / 2; }
    [[nodiscard]] double mean_logarithm() const;
    /// How many values are 0, which may be draws below 0 of a law that has these (docs/reference/models.md); none if
    /// all are.
    [[nodiscard]] std::uint64_t zeros() const {
        return values.size() > 1 and values.front() < resolution / 2 ? counts.front() : 0;
    }

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

/// The sample less its smallest values, as many as `count`. Requires: fewer than all.
[[nodiscard]] Sample without_smallest(const Sample& sample, std::uint64_t count);

/// Requires: no negative values.
[[nodiscard]] Sample make_sample(std::vector<std::int64_t> values, double resolution = 1);

}  // namespace groma
