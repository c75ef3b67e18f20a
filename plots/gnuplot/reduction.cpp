#include "plots/gnuplot/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace groma {

namespace {

/// Calls `take` with the points of each column, in order.
template <typename Point, typename Take>
void for_each_column(const std::vector<Point>& points, const Grid& columns, const Take& take) {
    for (std::size_t first = 0; first < points.size();) {
        const std::int64_t column = columns(points[first].x);
        std::size_t end = first + 1;
        while (end < points.size() and columns(points[end].x) == column) {
            ++end;
        }
        take(std::span(points).subspan(first, end - first));
        first = end;
    }
}

template <typename Point>
bool is_crowded(const std::vector<Point>& points, const Grid& columns) {
    if (points.size() <= kFewPoints) {
        return false;
    }
    const auto [low, high] = std::ranges::minmax_element(points, {}, &Point::x);
    const auto spanned = static_cast<std::size_t>(columns(high->x) - columns(low->x) + 1);
    return points.size() > kFewPoints * std::min(spanned, kColumns + 1);
}

bool is_monotone(const std::vector<PicturePoint>& points) {
    const auto rises = [](const PicturePoint& a, const PicturePoint& b) { return a.x <= b.x and a.y <= b.y; };
    const auto falls = [](const PicturePoint& a, const PicturePoint& b) { return a.x <= b.x and a.y >= b.y; };
    const auto unlike = [](const auto& like) {
        return [like](const auto& a, const auto& b) { return not like(a, b); };
    };
    return std::ranges::adjacent_find(points, unlike(rises)) == points.end() or
           std::ranges::adjacent_find(points, unlike(falls)) == points.end();
}

std::vector<PicturePoint> ends_of_columns(const std::vector<PicturePoint>& points, const Grid& columns) {
    std::vector<PicturePoint> kept;
    for_each_column(points, columns, [&](std::span<const PicturePoint> some) {
        kept.push_back(some.front());
        if (some.size() > 1) {
            kept.push_back(some.back());
        }
    });
    return kept;
}

std::vector<PicturePoint> medians(const std::vector<PicturePoint>& points, const Grid& columns) {
    std::vector<PicturePoint> kept;
    for_each_column(points, columns, [&](std::span<const PicturePoint> some) { kept.push_back(median_of(some)); });
    return kept;
}

std::vector<BandPoint> extremes(const std::vector<PicturePoint>& points, const Grid& columns) {
    std::vector<BandPoint> kept;
    for_each_column(points, columns, [&](std::span<const PicturePoint> some) { kept.push_back(extremes_of(some)); });
    return kept;
}

std::vector<BandPoint> reduced_area(const std::vector<BandPoint>& points, const Grid& columns, bool keep_extremes) {
    std::vector<BandPoint> kept;
    std::vector<double> lows;
    std::vector<double> highs;
    for_each_column(points, columns, [&](std::span<const BandPoint> some) {
        lows.clear();
        highs.clear();
        std::ranges::transform(some, std::back_inserter(lows), &BandPoint::low);
        std::ranges::transform(some, std::back_inserter(highs), &BandPoint::high);
        kept.push_back({some[some.size() / 2].x, keep_extremes ? std::ranges::min(lows) : lower_median(lows),
                        keep_extremes ? std::ranges::max(highs) : lower_median(highs)});
    });
    return kept;
}

/// Joins pieces without a column between them: a run with holes has very many pieces.
template <typename Point>
void join_pieces(std::vector<std::vector<Point>>& pieces, const Grid& columns) {
    if (pieces.size() <= kColumns) {
        return;
    }
    std::vector<std::vector<Point>> joined;
    for (auto& piece : pieces) {
        const bool near = not joined.empty() and columns(piece.front().x) <= columns(joined.back().back().x) + 1;
        if (near) {
            joined.back().insert(joined.back().end(), piece.begin(), piece.end());
        } else {
            joined.push_back(std::move(piece));
        }
    }
    pieces = std::move(joined);
}

/// Whether there was more than one value in any column.
bool is_spread(const std::vector<std::vector<BandPoint>>& extremes) {
    return std::ranges::any_of(extremes, [](const auto& piece) {
        return std::ranges::any_of(piece, [](const BandPoint& point) { return point.low < point.high; });
    });
}

class Reduction {
public:
    explicit Reduction(Picture& picture)
        : picture_(picture),
          columns_(picture.x_range, picture.log_x, kColumns),
          rows_(picture.y_range, picture.log_y, kColumns / 2) {}

    void run() {
        for (Band& band : picture_.bands) {
            join_pieces(band.pieces, columns_);
            for (auto& piece : band.pieces) {
                if (is_crowded(piece, columns_)) {
                    piece = reduced_area(piece, columns_, band.extremes);
                }
            }
        }
        for (Curve& curve : picture_.curves) {
            if (curve.stroke != Stroke::dots and curve.extremes.empty()) {
                join_pieces(curve.pieces, columns_);
            }
        }
        const auto crowded =
            std::ranges::count_if(picture_.curves, [&](Curve& curve) { return is_crowded_line(curve); });
        const bool with_extremes = static_cast<std::size_t>(crowded) <= kMostExtremes;
        for (Curve& curve : picture_.curves) {
            reduce(curve, with_extremes);
        }
        if (said_) {
            picture_.x_label += with_extremes ? "; lines: medians of 1/480 of the axis each, areas: their extremes"
                                              : "; lines: medians of 1/480 of the axis each";
        }
    }

private:
    [[nodiscard]] bool is_crowded_line(const Curve& curve) const {
        return not curve.extremes.empty() or
               (curve.stroke != Stroke::dots and std::ranges::any_of(curve.pieces, [&](const auto& piece) {
                    return is_crowded(piece, columns_) and not is_monotone(piece);
                }));
    }

    void reduce(Curve& curve, bool with_extremes) {
        if (curve.stroke == Stroke::dots) {
            thin_out(curve);
            return;
        }
        Band area{
            {}, is_spread(curve.extremes) ? curve.extremes : std::vector<std::vector<BandPoint>>(), curve.look, true};
        said_ = said_ or is_spread(curve.extremes);
        for (auto& piece : curve.pieces) {
            if (not curve.extremes.empty() or not is_crowded(piece, columns_)) {
                continue;
            }
            if (is_monotone(piece)) {
                piece = ends_of_columns(piece, columns_);
                continue;
            }
            area.pieces.push_back(extremes(piece, columns_));
            piece = medians(piece, columns_);
            said_ = true;
        }
        if (with_extremes and not area.pieces.empty()) {
            picture_.bands.push_back(std::move(area));
        }
    }

    void thin_out(Curve& curve) const {
        std::set<std::pair<std::int64_t, std::int64_t>> taken;
        for (auto& piece : curve.pieces) {
            std::erase_if(piece, [&](const PicturePoint& point) {
                return not taken.emplace(columns_(point.x), rows_(point.y)).second;
            });
        }
        std::erase_if(curve.pieces, [](const auto& piece) { return piece.empty(); });
    }

    Picture& picture_;
    Grid columns_;
    Grid rows_;
    bool said_ = false;
};

}  // namespace

Picture reduced(Picture picture) {
    Reduction(picture).run();
    return picture;
}

}  // namespace groma
