#include "common/stats/fidelity/distribution_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

namespace groma {

namespace {

constexpr double kFewestExpected = 5;
/// Edges of cells are only near their targets, and sums of probabilities are rounded.
constexpr double kNearly = 0.99;
/// Gaps less probable than this, on either side, count as if this probable: A2 stays finite.
constexpr double kRarest = 0x1p-41;

struct Bin {
    double counted = 0;
    double expected = 0;
    std::size_t first = 0;  ///< the bins of cells in it: from this one
    std::size_t end = 0;    ///< up to, and not with, this one
};

/// The bins of cells, combined so that at least five gaps are expected in each.
std::vector<Bin> bins_of(std::span<const ComparedCell> cells) {
    std::vector<Bin> parts(kLambda2Bins);
    for (const ComparedCell& cell : cells) {
        parts[cell.bin].counted += static_cast<double>(cell.counted);
        parts[cell.bin].expected += cell.expected;
    }
    std::vector<Bin> bins;
    Bin bin;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        bin.counted += parts[part].counted;
        bin.expected += parts[part].expected;
        bin.end = part + 1;
        if (bin.expected >= kFewestExpected * kNearly) {
            bins.push_back(bin);
            bin = {.first = bin.end, .end = bin.end};
        }
    }
    if (bins.empty()) {
        return {bin};
    }
    bins.back().counted += bin.counted;
    bins.back().expected += bin.expected;
    bins.back().end = kLambda2Bins;
    return bins;
}

double covariance_of(const CountCovariance& parts, const Bin& a, const Bin& b) {
    double sum = 0;
    for (std::size_t row = a.first; row < a.end; ++row) {
        for (std::size_t column = b.first; column < b.end; ++column) {
            sum += parts.at(row, column);
        }
    }
    return sum;
}

struct BinnedGaps {
    const std::vector<Bin>& bins;
    double freedom = 0;  ///< degrees of it
    double gaps = 0;
};

/// The variance of lambda2 [metrics.md]: of the misfit's part that is linear in the counts, and of chance alone.
struct Variance {
    double linear = 0;  ///< chance adds 2 `chance` to it
    double chance = 0;
};

Variance independent_variance(const BinnedGaps& binned) {
    const auto& [bins, freedom, n] = binned;
    double squares = 0;  // of q^2/p, where q is the counted share and p the expected one
    double cubes = 0;    // of q^3/p^2
    for (const Bin& bin : bins) {
        const double ratio = bin.counted / bin.expected;
        squares += bin.counted / n * ratio;
        cubes += bin.counted / n * ratio * ratio;
    }
    return {4 * (cubes - squares * squares) / n, 2 * freedom / (n * n)};
}

Variance dependent_variance(const std::vector<Bin>& bins, const CountCovariance& covariance, double n) {
    double linear = 0;   // g' C g / n^2 with g = 2 q/p
    double trace = 0;    // of S, the covariance of (Y - n p) / sqrt(n p)
    double squares = 0;  // trace of S^2
    for (const Bin& a : bins) {
        for (const Bin& b : bins) {
            const double value = covariance_of(covariance, a, b);
            linear += 4 * a.counted / a.expected * b.counted / b.expected * value / (n * n);
            squares += value * value / (a.expected * b.expected);
            trace += &a == &b ? value / a.expected : 0;
        }
    }
    // Without the bias of an estimated covariance [Srivastava 2005].
    const double inverse = covariance.inverse_freedom();
    const double unbiased = (squares - trace * trace * inverse) / ((1 - inverse) * (1 + 2 * inverse));
    // A covariance has no smaller trace of its square than this, whatever its other figures are.
    const double least = trace * trace / (static_cast<double>(bins.size()) - 1);
    return {linear, 2 * std::max(unbiased, least) / (n * n)};
}

void fill_lambda2(DistributionFit& fit, const BinnedGaps& binned, const CountCovariance* covariance) {
    const auto& [bins, freedom, n] = binned;
    double x2 = 0;
    double k = 0;
    for (const Bin& bin : bins) {
        const double apart = bin.counted - bin.expected;
        x2 += apart * apart / bin.expected;
        k += apart / bin.expected;
    }
    fit.bins = static_cast<std::uint32_t>(bins.size());
    fit.lambda2 = (x2 - k - freedom) / (n - 1);
    // docs/reference/metrics.md: the random error of the counts around the misfit, and that of a chi-square.
    const Variance variance =
        covariance != nullptr ? dependent_variance(bins, *covariance, n) : independent_variance(binned);
    fit.lambda2_error = std::sqrt(std::max(variance.linear - 2 * variance.chance, 0.0) + variance.chance);
}

/// The distribution functions at the end of a cell.
struct Edge {
    double below = 0;  ///< u: the probability by the model, and the one above it: near 1 as exact as near 0
    double above = 1;
    double apart = 0;  ///< F(u) - u, where F is the empirical distribution function
};

/// From the lower end of the first cell to the upper end of the last.
std::vector<Edge> edges_of(std::span<const ComparedCell> cells, double n) {
    std::vector<Edge> edges(cells.size() + 1);
    double above = 0;
    for (std::size_t i = cells.size(); i-- > 0;) {
        edges[i + 1].above = above / n;
        above += cells[i].expected;
    }
    double below = 0;
    std::uint64_t found = 0;
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
        below += cells[i].expected;
        found += cells[i].counted;
        Edge& edge = edges[i + 1];
        edge.below = below / n;
        edge.apart = edge.below < edge.above ? static_cast<double>(found) / n - edge.below
                                             : edge.above - (n - static_cast<double>(found)) / n;
    }
    edges.back() = {.below = 1, .above = 0, .apart = 0};
    return edges;
}

void fill_ks(DistributionFit& fit, std::span<const ComparedCell> cells, const std::vector<Edge>& edges, double n) {
    double most = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const double from = edges[i].apart;
        const double to = edges[i + 1].apart;
        fit.ks = std::max(fit.ks, std::abs(to));
        // All distinguishable gaps of the cell at one of its ends; the indistinguishable ones with them or not.
        const double counted = static_cast<double>(cells[i].counted_apart) / n;
        const double expected = cells[i].expected_apart / n;
        most = std::max({most, from + counted, to + expected, expected - from, counted - to});
    }
    fit.ks_within = std::max(most - fit.ks, 0.0);
}

/// The integral over t from 0 to 1 of (from + (to - from) t)^2 / (near + t): F(u) - u is linear; u in units of the
/// cell's width. Requires: from = 0 if near = 0.
double weighed(double from, double to, double near) {
    const double rise = to - from;
    if (near > 1) {  // the closed form would be a small difference of large numbers
        const auto weighed_at = [&](double t) { return (from + rise * t) * (from + rise * t) / (near + t); };
        return boost::math::quadrature::gauss<double, 10>::integrate(weighed_at, 0.0, 1.0);
    }
    const double rest = from - rise * near;
    const double logarithm = near > 0 ? rest * rest * std::log1p(1 / near) : 0;
    return rise * rise / 2 + 2 * from * rise - rise * rise * near + logarithm;
}

/// Treats all that is rarer than kRarest, on either side, as if it had that probability.
std::vector<Edge> without_the_rarest(const std::vector<Edge>& edges) {
    std::vector<Edge> kept{edges.front()};
    const auto first = std::ranges::find_if(edges, [](const Edge& edge) { return edge.below > kRarest; });
    if (const Edge& rare = *std::prev(first); first != std::next(edges.begin())) {
        kept.push_back({.below = kRarest, .above = 1 - kRarest, .apart = rare.apart + rare.below - kRarest});
    }
    const auto last = std::ranges::find_if(first, edges.end(), [](const Edge& edge) { return edge.above < kRarest; });
    kept.insert(kept.end(), first, last);
    if (last != std::prev(edges.end())) {
        kept.push_back({.below = 1 - kRarest, .above = kRarest, .apart = last->apart - last->above + kRarest});
    }
    kept.push_back(edges.back());
    return kept;
}

/// A2 = n times the integral of (F(u) - u)^2 / (u (1 - u)), with gaps spread evenly over their cells; 1/(u (1 - u)) is
/// 1/u + 1/(1 - u).
double anderson_darling(const std::vector<Edge>& edges, double n) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const Edge& from = edges[i];
        const Edge& to = edges[i + 1];
        const double width = from.below < from.above ? to.below - from.below : from.above - to.above;
        if (width > 0) {
            sum += weighed(from.apart, to.apart, from.below / width) + weighed(to.apart, from.apart, to.above / width);
        }
    }
    return n * sum;
}

}  // namespace

std::optional<DistributionFit> distribution_fit(std::span<const ComparedCell> cells, const CountCovariance* covariance,
                                                unsigned fitted) {
    std::uint64_t gaps = 0;
    for (const ComparedCell& cell : cells) {
        gaps += cell.counted;
    }
    if (gaps < kFewestGaps) {
        return std::nullopt;
    }
    const double n = static_cast<double>(gaps);
    const std::vector<Bin> bins = bins_of(cells);
    if (bins.size() < fitted + 2) {
        return std::nullopt;
    }
    DistributionFit fit;
    fit.gaps = gaps;
    fill_lambda2(fit, {.bins = bins, .freedom = static_cast<double>(bins.size() - 1 - fitted), .gaps = n}, covariance);
    const std::vector<Edge> edges = edges_of(cells, n);
    fill_ks(fit, cells, edges, n);
    fit.a2 = anderson_darling(without_the_rarest(edges), n);
    return fit;
}

std::string ks_text(const DistributionFit& fit) {
    constexpr double kShown = 0.1;  // of the lower bound
    return fit.ks_within > kShown * fit.ks ? fmt::format("{:.4f} to {:.4f}", fit.ks, fit.ks_most())
                                           : fmt::format("{:.4f}", fit.ks);
}

double ks_chance(double distance, std::uint64_t values) {
    constexpr double kCertain = 0.3;  // below it, 1 to five digits
    constexpr int kTerms = 100;
    const double root = std::sqrt(static_cast<double>(values));
    const double scaled = (root + 0.12 + 0.11 / root) * distance;
    if (not(scaled > kCertain)) {
        return 1;
    }
    double sum = 0;
    for (int k = 1; k <= kTerms; ++k) {
        sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * k * k * scaled * scaled);
    }
    return std::clamp(sum, 0.0, 1.0);
}

}  // namespace groma
