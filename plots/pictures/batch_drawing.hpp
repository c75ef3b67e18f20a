// Pictures of a batch, one figure each: what they share.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "plots/gnuplot/picture.hpp"
#include "plots/gnuplot/quantity.hpp"
#include "plots/results/batch_results.hpp"

namespace groma {

/// A figure that is drawn. Shares are drawn as they are.
struct DrawnFigure {
    const char* name;
    const char* stem;
    const char* what;
    Quantity quantity;
    const char* none = "";  ///< what the title says where all values are 0
};

/// Of values as they are stored.
struct BatchExtent {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

/// Null if the group does not have it.
[[nodiscard]] const BatchFigure* figure_of(const BatchGroup& group, const DrawnFigure& figure);
[[nodiscard]] BatchValue value_of(const BatchGroup& group, const std::string& key);
/// "1000pps, 512": values of these keys.
[[nodiscard]] std::string label_of(const BatchGroup& group, const std::vector<std::string>& keys);
/// "rate 1000pps, size 512": with their names, for a key.
[[nodiscard]] std::string named_label_of(const BatchGroup& group, const std::vector<std::string>& keys);
[[nodiscard]] AxisUnit unit_of(const DrawnFigure& figure, const BatchExtent& extent);
/// Of a title: ": no loss" where all values are 0; else empty.
[[nodiscard]] std::string none_note(const DrawnFigure& figure, const BatchExtent& extent);
/// Unit and range of the axis on which the figure stands.
AxisUnit set_value_axis(Picture& picture, const DrawnFigure& figure, const BatchExtent& extent);

// All are empty if there is too little to draw.

/// A box for each group with several runs.
[[nodiscard]] std::optional<Picture> draw_boxes(const BatchResults& results, const DrawnFigure& figure);
/// The figure against one key; a curve for groups whose other keys are equal.
[[nodiscard]] std::optional<Picture> draw_sweep(const BatchResults& results, const DrawnFigure& figure,
                                                const std::string& key);
/// A map of two keys.
[[nodiscard]] std::optional<Picture> draw_heat(const BatchResults& results, const DrawnFigure& figure);

}  // namespace groma
