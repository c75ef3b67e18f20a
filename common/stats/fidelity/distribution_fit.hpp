// How far the sent gaps are from the requested distribution (docs/reference/metrics.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/stats/fidelity/gap_batches.hpp"

namespace groma {

struct DistributionFit {
    std::uint64_t gaps = 0;    ///< n: number of compared gaps
    std::uint32_t bins = 0;    ///< N: number of bins of equal probability under the model
    double lambda2 = 0;        ///< [Pederson and Johnson 1990; Paxson 1994]; can be slightly below 0
    double lambda2_error = 0;  ///< its standard error, with the dependence of gaps on each other if that is known
    double ks = 0;             ///< Kolmogorov-Smirnov distance, 0 to 1: a lower bound
    double ks_within = 0;      ///< the upper bound is this much more: the resolution of the cells
    double a2 = 0;             ///< Anderson-Darling
    /// The upper bound of the Kolmogorov-Smirnov distance.
    [[nodiscard]] double ks_most() const { return std::min(ks + ks_within, 1.0); }
    bool operator==(const DistributionFit&) const = default;
};

/// For people: "0.0121", or both bounds if they differ by more than a tenth: "0.0021 to 0.3360".
[[nodiscard]] std::string ks_text(const DistributionFit& fit);

/// The probability that n independent values of a continuous distribution are at least so far from it by Kolmogorov and
/// Smirnov, for n from 5 on [Kolmogorov 1933, with the correction for small n of Stephens 1970].
[[nodiscard]] double ks_chance(double distance, std::uint64_t values);

/// Fewer gaps than this do not give four bins of at least five expected gaps.
inline constexpr std::uint64_t kFewestGaps = 20;

/// A cell of gaps, and the expected number in it.
struct ComparedCell {
    std::size_t bin = 0;  ///< of lambda2, below kLambda2Bins
    std::uint64_t counted = 0;
    double expected = 0;
    /// Part of these: gaps anywhere in the cell. The others all have one length, as far as the clock can tell.
    std::uint64_t counted_apart = 0;
    double expected_apart = 0;
};
using ComparedGaps = std::vector<ComparedCell>;

/// Compares counts in cells of ascending gaps and bins with the expected numbers; both sum to the number of gaps.
/// `covariance`: of the counts in the bins; null: the gaps are independent. `fitted`: parameters that were fitted to
/// the counts. Returns: empty below kFewestGaps, and if all expected gaps are in as few bins as leave no degree of
/// freedom.
[[nodiscard]] std::optional<DistributionFit> distribution_fit(std::span<const ComparedCell> cells,
                                                              const CountCovariance* covariance = nullptr,
                                                              unsigned fitted = 0);

}  // namespace groma
