// A picture as a value: what is drawn, in the drawn units, independent of gnuplot. All numbers are finite.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace groma {

struct PicturePoint {
    double x = 0;
    double y = 0;
    bool operator==(const PicturePoint&) const = default;
};

enum class Stroke { solid, wide, thin, dots };  ///< dots: unconnected points

struct BandPoint {
    double x = 0;
    double low = 0;
    double high = 0;
    bool operator==(const BandPoint&) const = default;
};

/// Curves with the same `look` share a colour.
struct Curve {
    std::string name;
    std::size_t look = 0;
    Stroke stroke = Stroke::solid;
    bool marked = true;                             ///< with point symbols, so that colour is not needed
    std::vector<std::vector<PicturePoint>> pieces;  ///< lines that are not connected; none is empty
    std::vector<BandPoint> bars{};                  ///< the spread of the values behind its points
    /// Its points are medians of several values each: these are the smallest and the largest, at the same places.
    std::vector<std::vector<BandPoint>> extremes{};
};

struct AxisRange {
    double low = 0;
    double high = 1;
};

/// An area between two curves, drawn below everything else.
struct Band {
    std::string name;  ///< empty: not in the key
    std::vector<std::vector<BandPoint>> pieces;
    std::size_t look = 0;  ///< of the curve that it belongs to
    bool extremes = true;  ///< smallest and largest values, which a reduction must keep; false: quantiles
};

/// Values at one place of the x axis, as a box from quartile to quartile with whiskers (Tukey 1977).
struct Box {
    double x = 0;
    double low = 0;  ///< end of the whisker
    double lower = 0;
    double median = 0;
    double upper = 0;
    double high = 0;
};

/// A rectangle whose colour stands for a value.
struct Cell {
    AxisRange x;
    AxisRange y;
    double value = 0;
    std::string label{};  ///< text in it; empty: none
};

struct AxisTick {
    double at = 0;
    std::string label;
    bool operator==(const AxisTick&) const = default;
};

struct Picture {
    std::string stem;  ///< of the file's name
    std::string title;
    std::string x_label;
    std::string y_label;
    bool log_x = false;
    bool log_y = false;
    std::vector<AxisTick> x_ticks;  ///< empty: gnuplot places them
    std::vector<AxisTick> y_ticks;  ///< likewise
    AxisRange x_range;
    AxisRange y_range;
    std::vector<Band> bands;
    std::vector<Curve> curves;
    std::vector<Box> boxes{};
    std::vector<Cell> cells{};
    std::string cell_label{};    ///< what their colours stand for
    bool log_cells = false;      ///< values above 0, coloured by their logarithm
    bool slanted_ticks = false;  ///< of the x axis: many, or long ones
};

/// A range that includes `low` to `high` with some margin; its width is never 0.
[[nodiscard]] AxisRange roomy_range(double low, double high);

}  // namespace groma
