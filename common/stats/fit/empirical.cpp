#include "common/stats/fit/empirical.hpp"

#include <cmath>
#include <vector>

namespace groma {

namespace {

constexpr int kPlainPieces = 40;
constexpr int kHalvings = 12;

/// The probabilities at which pieces end, ascending; the last is 1.
std::vector<double> ends() {
    constexpr double kPlain = 1.0 / kPlainPieces;
    std::vector<double> ends;
    ends.reserve(kPlainPieces + 2 * kHalvings);
    for (int halving = kHalvings; halving > 0; --halving) {
        ends.push_back(std::ldexp(kPlain, -halving));
    }
    for (int piece = 1; piece < kPlainPieces; ++piece) {
        ends.push_back(piece * kPlain);
    }
    for (int halving = 1; halving <= kHalvings; ++halving) {
        ends.push_back(1 - std::ldexp(kPlain, -halving));
    }
    ends.push_back(1);
    return ends;
}

/// Consecutive values that become a piece.
struct Piece {
    double low = 0;
    double apart = 0;  ///< the sum of the values' differences from `low`
    double count = 0;

    void add(double value, double times) {
        if (count == 0) {
            low = value;
        }
        apart += times * (value - low);
        count += times;
    }

    void put_into(Mixture& mixture, double resolution) const {
        const double mean = low + apart / count;
        mixture.weights.push_back(count);
        if (mean - low < resolution / 4) {
            mixture.components.emplace_back(Constant{mean > 0 ? mean : resolution / 2});
        } else {
            mixture.components.emplace_back(Uniform{low, 2 * mean - low});
        }
    }
};

}  // namespace

Distribution empirical_distribution(const Sample& sample) {
    if (sample.values.size() <= kMostExact) {
        Discrete discrete{sample.values, {}};
        discrete.weights.assign(sample.counts.begin(), sample.counts.end());
        return discrete;
    }
    Mixture mixture;
    Piece piece;
    double so_far = 0;
    std::size_t value = 0;
    double left = static_cast<double>(sample.counts.front());  // occurrences left of the next value
    for (const double end : ends()) {
        const double wanted = std::round(end * static_cast<double>(sample.total));
        while (so_far < wanted) {
            const double taken = std::min(left, wanted - so_far);
            piece.add(sample.values[value], taken);
            so_far += taken;
            left -= taken;
            if (left == 0 and ++value < sample.values.size()) {
                left = static_cast<double>(sample.counts[value]);
            }
        }
        if (piece.count > 0) {
            piece.put_into(mixture, sample.resolution);
            piece = {};
        }
    }
    return mixture;
}

}  // namespace groma
