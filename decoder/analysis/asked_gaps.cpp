#include "decoder/analysis/asked_gaps.hpp"

#include <algorithm>
#include <cmath>

#include "common/model/distributions/reference.hpp"

namespace groma {

namespace {

constexpr int kPoints = 200;
constexpr double kFirst = 1;            // ns: the resolution of schedules
constexpr double kLongestGap = 0x1p62;  // ns: longer gaps are drawn again
constexpr double kPrecision = 1e-6;
/// In ns: shorter gaps are 0. Some distributions have gaps below the smallest double.
constexpr double kShortest = kPrecision * kFirst;

/// The smallest x in [0, kLongestGap] with P(X <= x) >= p, to a relative precision of kPrecision.
double gap_at(const Distribution& idt, double p) {
    if (cdf(idt, kShortest) >= p) {
        return 0;
    }
    double above = kFirst;
    while (above < kLongestGap and cdf(idt, above) < p) {
        above *= 2;
    }
    double below = above == kFirst ? kShortest : above / 2;
    while (above - below > kPrecision * above) {
        const double middle = below + (above - below) / 2;
        (cdf(idt, middle) >= p ? above : below) = middle;
    }
    return above;
}

/// In rising order.
std::vector<double> probabilities(double rarest) {
    std::vector<double> all;
    all.reserve(kPoints);
    for (int i = 0; i < kPoints; ++i) {
        all.push_back((i + 0.5) / kPoints);
    }
    for (double rare = 0.25 / kPoints; rare >= rarest; rare /= 2) {
        all.push_back(rare);
        all.push_back(1 - rare);
    }
    std::ranges::sort(all);
    return all;
}

bool same_place(double a, double b) {
    return std::abs(a - b) <= 4 * kPrecision * std::max(a, b);
}

}  // namespace

std::vector<CdfPoint> asked_gaps(const Distribution& idt, double rarest) {
    const std::vector<double> shares = probabilities(rarest);
    std::vector<CdfPoint> points{{gap_at(idt, shares.front()), 0}};
    for (const double p : shares) {
        const double gap = gap_at(idt, p);
        const bool on_a_step = points.size() >= 2 and same_place(gap, points.back().value) and
                               same_place(gap, points[points.size() - 2].value);
        if (on_a_step) {
            points.back().share = p;
        } else {
            points.push_back({gap, p});
        }
    }
    if (points.size() > 2 and points[1].share <= shares.front()) {
        points.erase(points.begin());  // no step there: the first gap is as unlikely as every other one
    }
    if (same_place(points.back().value, points[points.size() - 2].value)) {
        points.back().share = 1;
    }
    return points;
}

}  // namespace groma
