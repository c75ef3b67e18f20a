#include "common/stats/fit/sample_comparison.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstddef>

#include "common/model/distributions/quantile.hpp"
#include "common/model/distributions/reference.hpp"

namespace groma {

namespace {

constexpr int kPlainCells = 1024;
constexpr int kTailCells = 30;
/// Share of values in one step of the resolution below which rounding does not matter.
constexpr double kFineShare = 1e-6;
constexpr double kLastEdge = 0x1p62;

/// In steps of the resolution, ascending, each above 0.
class Edges {
public:
    explicit Edges(double resolution) : resolution_(resolution) {}

    void add(double value) {
        const double edge = std::clamp(std::round(value / resolution_), 0.0, kLastEdge / resolution_);
        if (edge > (edges_.empty() ? 0 : edges_.back())) {
            edges_.push_back(edge);
        }
    }

    [[nodiscard]] const std::vector<double>& found() const { return edges_; }

private:
    double resolution_;
    std::vector<double> edges_;
};

/// Adds the next step after each edge: a value with more than a cell's probability becomes a cell by itself.
std::vector<double> edges_for(const Distribution& distribution, double resolution) {
    Edges edges(resolution);
    const auto add = [&](double value) {
        edges.add(value);
        edges.add(value + resolution);
    };
    constexpr double kPlain = 1.0 / kPlainCells;
    for (int halvings = kTailCells; halvings > 0; --halvings) {
        add(quantile(distribution, std::ldexp(kPlain, -halvings)));
    }
    for (int cell = 1; cell < kPlainCells; ++cell) {
        const double below = cell * kPlain;
        add(below < 0.5 ? quantile(distribution, below) : upper_quantile(distribution, 1 - below));
    }
    for (int halvings = 1; halvings <= kTailCells; ++halvings) {
        add(upper_quantile(distribution, std::ldexp(kPlain, -halvings)));
    }
    return edges.found();
}

}  // namespace

EdgeProbability probability_at(const Distribution& distribution, double edge, double resolution, Rounding rounding) {
    const double from = edge - resolution;
    const double middle = edge - resolution / 2;
    if (rounding == Rounding::once or cdf(distribution, edge) - cdf(distribution, from) < kFineShare) {
        return {cdf(distribution, middle), survival(distribution, middle)};
    }
    // The first instant's position within its step is random: takes the mean over it, as in GapModel.
    using Mean = boost::math::quadrature::gauss<double, 7>;
    return {Mean::integrate([&](double x) { return cdf(distribution, x); }, from, edge) / resolution,
            Mean::integrate([&](double x) { return survival(distribution, x); }, from, edge) / resolution};
}

std::vector<ComparedCell> sample_cells(const Sample& sample, const Distribution& distribution, Rounding rounding) {
    const std::vector<double> edges = edges_for(distribution, sample.resolution);
    const double n = static_cast<double>(sample.total);
    std::vector<ComparedCell> cells(edges.size() + 1);
    EdgeProbability before{};
    for (std::size_t i = 0; i <= edges.size(); ++i) {
        const EdgeProbability here =
            i < edges.size() ? probability_at(distribution, edges[i] * sample.resolution, sample.resolution, rounding)
                             : EdgeProbability{1, 0};
        const double share = here.below < 0.5 ? here.below - before.below : before.above - here.above;
        cells[i].expected = n * std::max(share, 0.0);
        // By the middle of the cell: its edges are only near their targets.
        const double middle = std::clamp((before.below + here.below) / 2, 0.0, 1.0);
        cells[i].bin = std::min(static_cast<std::size_t>(middle * kLambda2Bins), kLambda2Bins - 1);
        before = here;
    }
    std::size_t cell = 0;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        while (cell < edges.size() and sample.values[i] >= (edges[cell] - 0.25) * sample.resolution) {
            ++cell;
        }
        cells[cell].counted += sample.counts[i];
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool one_step = i < edges.size() and edges[i] - (i == 0 ? 0 : edges[i - 1]) == 1;
        cells[i].counted_apart = one_step ? 0 : cells[i].counted;
        cells[i].expected_apart = one_step ? 0 : cells[i].expected;
    }
    return cells;
}

std::optional<DistributionFit> compared(const Sample& sample, const Distribution& distribution, Rounding rounding,
                                        unsigned fitted) {
    return distribution_fit(sample_cells(sample, distribution, rounding), nullptr, fitted);
}

}  // namespace groma
