#include <fmt/format.h>

#include <algorithm>

#include "common/model/text/human.hpp"
#include "plots/pictures/batch_drawing.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostLabelledCells = 80;

/// The place of each value of a key: numbers rising, other values in the order in which they come.
std::vector<BatchValue> places_of(const BatchResults& results, const std::string& key) {
    std::vector<BatchValue> values;
    for (const BatchGroup& group : results.groups) {
        const BatchValue value = value_of(group, key);
        if (std::ranges::find(values, value) == values.end()) {
            values.push_back(value);
        }
    }
    if (std::ranges::all_of(values, [](const BatchValue& value) { return value.number.has_value(); })) {
        std::ranges::sort(values, {}, [](const BatchValue& value) { return *value.number; });
    }
    return values;
}

std::vector<AxisTick> ticks_of(const std::vector<BatchValue>& values) {
    std::vector<AxisTick> ticks;
    for (std::size_t i = 0; i < values.size(); ++i) {
        ticks.push_back({static_cast<double>(i), values[i].text});
    }
    return ticks;
}

/// A key with the places of its values along an axis.
struct KeyAxis {
    const std::string& key;
    const std::vector<BatchValue>& values;

    [[nodiscard]] double place_of(const BatchGroup& group) const {
        return static_cast<double>(std::ranges::find(values, value_of(group, key)) - values.begin());
    }
};

std::vector<Cell> cells_of(const BatchResults& results, const DrawnFigure& figure, const KeyAxis& columns,
                           const KeyAxis& rows) {
    std::vector<Cell> cells;
    for (const BatchGroup& group : results.groups) {
        if (const BatchFigure* found = figure_of(group, figure)) {
            const double x = columns.place_of(group);
            const double y = rows.place_of(group);
            cells.push_back({{x - 0.5, x + 0.5}, {y - 0.5, y + 0.5}, found->mean});
        }
    }
    return cells;
}

}  // namespace

std::optional<Picture> draw_heat(const BatchResults& results, const DrawnFigure& figure) {
    const std::vector<std::string> varied = results.varied_keys();
    if (varied.size() != 2) {
        return std::nullopt;
    }
    const std::vector<BatchValue> columns = places_of(results, varied[0]);
    const std::vector<BatchValue> rows = places_of(results, varied[1]);
    BatchExtent extent;
    Picture picture;
    picture.cells = cells_of(results, figure, {varied[0], columns}, {varied[1], rows});
    for (const Cell& cell : picture.cells) {
        extent.include(cell.value);
    }
    if (picture.cells.empty()) {
        return std::nullopt;
    }
    const AxisUnit unit = unit_of(figure, extent);
    for (Cell& cell : picture.cells) {
        cell.value *= unit.factor;
        cell.label = picture.cells.size() <= kMostLabelledCells ? significant(cell.value, 3) : std::string();
    }
    picture.stem = std::string("heat-") + figure.stem;
    picture.title = fmt::format("{}, means", figure.what) + none_note(figure, extent);
    picture.cell_label = axis_label(figure.what, unit);
    picture.x_label = varied[0];
    picture.y_label = varied[1];
    picture.x_ticks = ticks_of(columns);
    picture.y_ticks = ticks_of(rows);
    picture.x_range = {-0.5, static_cast<double>(columns.size()) - 0.5};
    picture.y_range = {-0.5, static_cast<double>(rows.size()) - 0.5};
    return picture;
}

}  // namespace groma
