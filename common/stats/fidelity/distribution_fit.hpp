// How far the gaps that were sent are from the distribution that was asked for (docs/reference/metrics.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace groma {

struct DistributionFit {
    std::uint64_t gaps = 0;    ///< n: gaps that were compared
    std::uint32_t bins = 0;    ///< N: bins of equal probability under the model
    double lambda2 = 0;        ///< [Pederson and Johnson 1990; Paxson 1994]; can be slightly below 0
    double lambda2_error = 0;  ///< its standard error
    double ks = 0;             ///< Kolmogorov-Smirnov distance, 0 to 1: at least this
    double ks_within = 0;      ///< and at most so much more: the resolution of the cells that are counted
    double a2 = 0;             ///< Anderson-Darling
    bool operator==(const DistributionFit&) const = default;
};

/// With fewer gaps than this there are no four bins of at least five expected gaps.
inline constexpr std::uint64_t kFewestGaps = 20;

/// A cell of gaps, and what was expected in it.
struct ComparedCell {
    std::uint64_t counted = 0;
    double expected = 0;
    /// Of those, the gaps that are somewhere in the cell; the others are all of one length, as far as the clock can
    /// tell.
    std::uint64_t counted_apart = 0;
    double expected_apart = 0;
};
using ComparedGaps = std::vector<ComparedCell>;

/// Compares counts in cells of rising gaps with what was expected there; both add up to the number of gaps. Nothing was
/// fitted to the counts. Returns: nothing below kFewestGaps, and when all that is expected is in one bin.
[[nodiscard]] std::optional<DistributionFit> distribution_fit(std::span<const ComparedCell> cells);

}  // namespace groma
