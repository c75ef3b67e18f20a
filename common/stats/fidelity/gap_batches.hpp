// Counts of gaps in consecutive batches of a flow: how much the counts of a whole flow vary, if its gaps depend on
// each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/stats/histograms/batches.hpp"

namespace groma {

/// Bins that lambda2 counts in (docs/reference/metrics.md), whatever the number of gaps.
inline constexpr std::size_t kLambda2Bins = 32;

/// The covariance of the number of gaps in each bin, of one flow or of several independent ones.
class CountCovariance {
public:
    using Row = std::array<double, kLambda2Bins>;

    /// Adds the covariance of a flow, estimated from `freedom` + 1 of its batches; 0: it is known exactly.
    void add(const std::array<Row, kLambda2Bins>& covariance, std::uint64_t gaps, double freedom);

    [[nodiscard]] double at(std::size_t row, std::size_t column) const { return sum_[row][column]; }
    /// The reciprocal of the degrees of freedom of the estimate [Satterthwaite 1946]; 0: exact.
    [[nodiscard]] double inverse_freedom() const;

private:
    std::array<Row, kLambda2Bins> sum_{};
    double gaps_ = 0;
    double squares_ = 0;  ///< of gaps, divided by the degrees of freedom
};

/// Memory: 16 KiB.
class GapBatches {
public:
    using Counts = std::array<std::uint64_t, kLambda2Bins>;
    static constexpr std::size_t kMost = Batches<Counts>::kMost;

    GapBatches() = default;
    /// Batches that were counted elsewhere. Requires: at most kMost, all but the last of `length` gaps, which is not 0.
    GapBatches(std::uint64_t length, std::vector<Counts> batches);

    void add(std::size_t bin) {
        ++batches_.open()[bin];
        batches_.fill(1);
    }

    [[nodiscard]] std::uint64_t length() const { return batches_.length(); }
    [[nodiscard]] std::span<const Counts> batches() const { return batches_.all(); }  ///< the last may be incomplete

    /// Adds the covariance of the flow's `gaps` gaps in all to `sum`. `shares`: the probability of each bin by the
    /// model, by which independent gaps are assumed if there are fewer than kFewestBatches complete batches.
    void add_covariance(CountCovariance& sum, std::uint64_t gaps, std::span<const double, kLambda2Bins> shares) const;
    static constexpr std::size_t kFewestBatches = 20;

private:
    Batches<Counts> batches_;
};

}  // namespace groma
