// Thins a line while it is read: it keeps no more points than can be drawn.
#pragma once

#include <optional>
#include <vector>

#include "plots/gnuplot/columns.hpp"
#include "plots/gnuplot/picture.hpp"

namespace groma {

/// What is drawn of a line.
struct ThinnedLine {
    std::vector<std::vector<PicturePoint>> pieces;  ///< lines that are not connected; none is empty
    /// Not empty: `pieces` are medians of columns, and these are the columns' smallest and largest values, at the same
    /// places.
    std::vector<std::vector<BandPoint>> extremes;
    bool operator==(const ThinnedLine&) const = default;
};

/// One point for each column and piece.
class ColumnLine {
public:
    /// `joined`: pieces are connected unless a whole column lies between them.
    ColumnLine(const AxisRange& range, bool joined) : columns_(range, false, kColumns), joined_(joined) {}

    void add(const PicturePoint& point, bool connected);
    [[nodiscard]] std::size_t pieces() const { return line_.pieces.size(); }
    [[nodiscard]] ThinnedLine finish() &&;

private:
    void end_column();

    Grid columns_;
    bool joined_;
    ThinnedLine line_;
    std::vector<PicturePoint> column_;
    std::int64_t at_ = 0;
};

/// Keeps a line unchanged as long as it has few points, or else its columns: with all holes as long as they are few, or
/// else only those as wide as a column. Exact: medians and extremes are those of all points. Takes memory for a few
/// points a column, and for all points of the column that it is in.
class ThinLine {
public:
    /// `range`: where its points are, on the x axis.
    explicit ThinLine(const AxisRange& range)
        : whole_(std::in_place), broken_(std::in_place, range, false), joined_(range, true) {}

    /// Requires: x not below that of the point before. `connected`: with that point.
    void add(const PicturePoint& point, bool connected);
    [[nodiscard]] ThinnedLine finish() &&;

private:
    std::optional<std::vector<std::vector<PicturePoint>>> whole_;
    std::size_t points_ = 0;
    std::optional<ColumnLine> broken_;
    ColumnLine joined_;
};

}  // namespace groma
