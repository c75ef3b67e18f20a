#include "common/stats/fidelity/distribution_fit.hpp"

#include <algorithm>
#include <bit>
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
};

/// N = 2 n^(2/5) [Mann and Wald 1942], rounded down to a power of two, so that bins consist of complete cells.
std::size_t wanted_bins(double n) {
    return std::bit_floor(static_cast<std::size_t>(2 * std::pow(n, 0.4)));
}

/// Groups cells into bins of about equal probability, each with at least five expected gaps. A cell larger than a bin
/// is a bin by itself; the next bin begins after it.
std::vector<Bin> bins_of(std::span<const ComparedCell> cells, double n) {
    const double share = n / static_cast<double>(wanted_bins(n));
    std::vector<Bin> bins;
    Bin bin;
    double so_far = 0;
    double end = share;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        bin.counted += static_cast<double>(cells[cell].counted);
        bin.expected += cells[cell].expected;
        so_far += cells[cell].expected;
        const double next = cell + 1 < cells.size() ? cells[cell + 1].expected : 0;
        if (so_far + next / 2 >= end and bin.expected >= kFewestExpected * kNearly) {
            bins.push_back(bin);
            bin = {};
            end = (std::round(so_far / share) + 1) * share;
        }
    }
    // The rest is the last bin; or too small, if an edge was only near its target.
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
    double squares = 0;  // of q^2/p, where q is the counted share and p the expected one
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
    // docs/reference/metrics.md: the random error of the counts around the misfit, and that of a chi-square.
    const double around = std::max(cubes - squares * squares - freedom / n, 0.0);
    fit.lambda2_error = std::sqrt(4 * around / n + 2 * freedom / (n * n));
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

std::optional<DistributionFit> distribution_fit(std::span<const ComparedCell> cells) {
    std::uint64_t gaps = 0;
    for (const ComparedCell& cell : cells) {
        gaps += cell.counted;
    }
    if (gaps < kFewestGaps) {
        return std::nullopt;
    }
    const double n = static_cast<double>(gaps);
    const std::vector<Bin> bins = bins_of(cells, n);
    if (bins.size() < 2) {
        return std::nullopt;
    }
    DistributionFit fit;
    fit.gaps = gaps;
    fill_lambda2(fit, bins, n);
    const std::vector<Edge> edges = edges_of(cells, n);
    fill_ks(fit, cells, edges, n);
    fit.a2 = anderson_darling(without_the_rarest(edges), n);
    return fit;
}

}  // namespace groma
