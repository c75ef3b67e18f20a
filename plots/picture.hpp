// A picture as a value: what is drawn, in the units in which it is drawn, without a word about gnuplot. All numbers are
// finite.
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

enum class Stroke { solid, wide, thin };

struct BandPoint {
    double x = 0;
    double low = 0;
    double high = 0;
};

/// How a curve is told from others: curves with the same `look` have a colour in common.
struct Curve {
    std::string name;
    std::size_t look = 0;
    Stroke stroke = Stroke::solid;
    bool marked = true;                             ///< with point symbols, so that colour is not needed
    std::vector<std::vector<PicturePoint>> pieces;  ///< lines that are not connected; none is empty
    std::vector<BandPoint> bars{};                  ///< the spread of what its points stand for
};

/// An area between two curves, drawn behind everything.
struct Band {
    std::string name;
    std::vector<std::vector<BandPoint>> pieces;
};

struct AxisRange {
    double low = 0;
    double high = 1;
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
    std::vector<AxisTick> x_ticks;  ///< empty: where gnuplot likes them
    std::vector<AxisTick> y_ticks;  ///< likewise
    AxisRange x_range;
    AxisRange y_range;
    std::vector<Band> bands;
    std::vector<Curve> curves;
};

/// A range that holds `low` to `high` with some room, never of no width.
[[nodiscard]] AxisRange roomy_range(double low, double high);

}  // namespace groma
