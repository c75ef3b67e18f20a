#include "common/stats/distribution_fit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace groma {

namespace {

constexpr double kFewestExpected = 5;
/// Edges of cells lie near where they were meant to, and sums of probabilities are rounded.
constexpr double kNearly = 0.99;
/// Gaps that are less probable than this, on either side, count as if they were so probable: A2 stays finite.
constexpr double kRarest = 0x1p-41;

struct Bin {
    double counted = 0;
    double expected = 0;
};

/// N = 2 n^(2/5) [Mann and Wald 1942], as the power of two below it, so that bins are made of whole cells.
std::size_t wanted_bins(double n) {
    return std::bit_floor(static_cast<std::size_t>(2 * std::pow(n, 0.4)));
}

/// Cells put together to bins of about equal probability, none with less than five gaps expected.
std::vector<Bin> bins_of(std::span<const std::uint64_t> counts, std::span<const double> expected, double n) {
    const double share = n / static_cast<double>(wanted_bins(n));
    std::vector<Bin> bins;
    Bin bin;
    double so_far = 0;
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
        bin.counted += static_cast<double>(counts[cell]);
        bin.expected += expected[cell];
        so_far += expected[cell];
        const double next = cell + 1 < expected.size() ? expected[cell + 1] : 0;
        const bool nearest = so_far + next / 2 >= share * static_cast<double>(bins.size() + 1);
        if (nearest and bin.expected >= kFewestExpected * kNearly) {
            bins.push_back(bin);
            bin = {};
        }
    }
    // What is left is the last bin, or less: cells behind an edge that was near enough.
    if (bins.empty() or bin.expected >= kFewestExpected * kNearly) {
        bins.push_back(bin);
    } else {
        bins.back().counted += bin.counted;
        bins.back().expected += bin.expected;
    }
    return bins;
}

void fill_lambda2(DistributionFit& fit, const std::vector<Bin>& bins, double n) {
    double x2 = 0;
    double k = 0;
    double squares = 0;  // of q^2/p, q being the share that was counted and p the one expected
    double cubes = 0;    // of q^3/p^2
    for (const Bin& bin : bins) {
        const double apart = bin.counted - bin.expected;
        const double ratio = bin.counted / bin.expected;
        x2 += apart * apart / bin.expected;
        k += apart / bin.expected;
        squares += bin.counted / n * ratio;
        cubes += bin.counted / n * ratio * ratio;
    }
    const double freedom = static_cast<double>(bins.size()) - 1;
    fit.bins = static_cast<std::uint32_t>(bins.size());
    fit.lambda2 = (x2 - k - freedom) / (n - 1);
    // docs/metrics.md: the chance of the counts around the misfit, and that of a chi-square.
    const double around = std::max(cubes - squares * squares - freedom / n, 0.0);
    fit.lambda2_error = std::sqrt(4 * around / n + 2 * freedom / (n * n));
}

/// What is known of the empirical distribution function: its values where cells end.
struct Curve {
    std::vector<double> asked;  ///< from 0 to 1
    std::vector<double> found;  ///< there
};

Curve curve_of(std::span<const std::uint64_t> counts, std::span<const double> expected, double n) {
    Curve curve{{0}, {0}};
    double asked = 0;
    double found = 0;
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
        asked += expected[cell];
        found += static_cast<double>(counts[cell]);
        curve.asked.push_back(std::min(asked / n, 1.0));
        curve.found.push_back(found / n);
    }
    curve.asked.back() = 1;
    return curve;
}

void fill_ks(DistributionFit& fit, const Curve& curve) {
    double most = 0;
    for (std::size_t i = 0; i < curve.asked.size(); ++i) {
        fit.ks = std::max(fit.ks, std::abs(curve.found[i] - curve.asked[i]));
        if (i > 0) {  // all gaps of the cell at its one end, or at the other
            most = std::max({most, curve.found[i] - curve.asked[i - 1], curve.asked[i] - curve.found[i - 1]});
        }
    }
    fit.ks_within = std::max(most - fit.ks, 0.0);
}

/// The integral over u from `from` to `to` of (F(u) - u)^2 / (u (1 - u)), F being linear there.
double anderson_darling_between(double from, double to, double found_from, double found_to) {
    if (to <= from) {
        return 0;
    }
    // F(u) - u = a + b u = c - b (1 - u), and 1/(u (1 - u)) = 1/u + 1/(1 - u).
    const double b = (found_to - found_from) / (to - from) - 1;
    const double a = found_from - from - b * from;
    const double c = a + b;
    const double width = to - from;
    const double middle = (from + to) / 2;
    // The logarithm's factor vanishes where it has no value: nothing is found below 0 or above 1.
    const double low = from > 0 ? a * a * std::log(to / from) : 0;
    const double high = to < 1 ? c * c * std::log((1 - from) / (1 - to)) : 0;
    return low + 2 * a * b * width + b * b * width * middle + high - 2 * c * b * width + b * b * width * (1 - middle);
}

/// A2 = n times the integral of (F(u) - u)^2 / (u (1 - u)), gaps being spread evenly over their cells.
double anderson_darling(Curve curve, double n) {
    // Rare gaps fill at least the rarest probability at their end, so that F is 0 at 0 and 1 at 1 without a jump.
    const std::size_t last = curve.asked.size() - 1;
    for (std::size_t i = 1; i < last; ++i) {
        curve.asked[i] = std::clamp(curve.asked[i], kRarest, 1 - kRarest);
    }
    double sum = 0;
    for (std::size_t i = 1; i <= last; ++i) {
        sum += anderson_darling_between(curve.asked[i - 1], curve.asked[i], curve.found[i - 1], curve.found[i]);
    }
    return n * sum;
}

}  // namespace

std::optional<DistributionFit> distribution_fit(std::span<const std::uint64_t> counts,
                                                std::span<const double> expected) {
    const std::uint64_t gaps = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (gaps < kFewestGaps) {
        return std::nullopt;
    }
    const double n = static_cast<double>(gaps);
    DistributionFit fit;
    fit.gaps = gaps;
    fill_lambda2(fit, bins_of(counts, expected, n), n);
    const Curve curve = curve_of(counts, expected, n);
    fill_ks(fit, curve);
    fit.a2 = anderson_darling(curve, n);
    return fit;
}

}  // namespace groma
