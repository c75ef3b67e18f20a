#include "common/stats/fit/empirical.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
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

/// Consecutive values.
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

    [[nodiscard]] double high() const { return low + 2 * apart / count; }
    /// The sum of the values' differences from a place.
    [[nodiscard]] double apart_from(double place) const { return apart + count * (low - place); }

    void stretch(double from, double factor) {
        low = from + factor * (low - from);
        apart *= factor;
    }

    void put_into(Mixture& mixture, double resolution) const {
        const double mean = low + apart / count;
        mixture.weights.push_back(count);
        if (mean - low < resolution / 4) {
            mixture.components.emplace_back(Constant{mean > 0 ? mean : resolution / 2});
        } else {
            mixture.components.emplace_back(Uniform{low, high()});
        }
    }
};

/// Of each value.
std::vector<Piece> exact_pieces(const Sample& sample) {
    std::vector<Piece> pieces;
    pieces.reserve(sample.values.size());
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        pieces.push_back({sample.values[i], 0, static_cast<double>(sample.counts[i])});
    }
    return pieces;
}

/// Between ends().
std::vector<Piece> long_pieces(const Sample& sample) {
    std::vector<Piece> pieces;
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
            pieces.push_back(std::exchange(piece, {}));
        }
    }
    return pieces;
}

/// Stretches the upper end so that the sum of all values grows by `missing`.
void stretch_upper_end(std::vector<Piece>& pieces, double missing) {
    constexpr double kMost = 2;
    for (std::size_t first = pieces.size(); first-- > 0;) {
        const double from = first == 0 ? 0 : std::min(pieces[first - 1].high(), pieces[first].low);
        double apart = 0;
        for (std::size_t i = first; i < pieces.size(); ++i) {
            apart += pieces[i].apart_from(from);
        }
        const double factor = 1 + missing / apart;
        if (first == 0 or (apart > 0 and factor <= kMost and factor >= 1 / kMost)) {
            for (std::size_t i = first; i < pieces.size(); ++i) {
                pieces[i].stretch(from, factor);
            }
            return;
        }
    }
}

}  // namespace

Distribution empirical_distribution(const Sample& sample, std::optional<double> mean) {
    const bool few = sample.values.size() <= kMostExact;
    std::vector<Piece> pieces = few ? exact_pieces(sample) : long_pieces(sample);
    if (mean) {
        stretch_upper_end(pieces, (*mean - sample.mean()) * static_cast<double>(sample.total));
    }
    if (few) {
        Discrete discrete;
        for (const Piece& piece : pieces) {
            discrete.values.push_back(piece.low);
            discrete.weights.push_back(piece.count);
        }
        return discrete;
    }
    Mixture mixture;
    for (const Piece& piece : pieces) {
        piece.put_into(mixture, sample.resolution);
    }
    return mixture;
}

}  // namespace groma
