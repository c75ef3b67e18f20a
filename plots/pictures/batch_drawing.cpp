#include "plots/pictures/batch_drawing.hpp"

#include <cmath>

#include "plots/results/over_time.hpp"

namespace groma {

const BatchFigure* figure_of(const BatchGroup& group, const DrawnFigure& figure) {
    const auto found = group.figures.find(figure.name);
    return found == group.figures.end() ? nullptr : &found->second;
}

BatchValue value_of(const BatchGroup& group, const std::string& key) {
    const auto found = group.keys.find(key);
    return found == group.keys.end() ? BatchValue() : found->second;
}

std::string label_of(const BatchGroup& group, const std::vector<std::string>& keys) {
    std::string label;
    for (const std::string& key : keys) {
        label += (label.empty() ? "" : ", ") + value_of(group, key).text;
    }
    return label;
}

std::string named_label_of(const BatchGroup& group, const std::vector<std::string>& keys) {
    std::string label;
    for (const std::string& key : keys) {
        label += (label.empty() ? "" : ", ") + key + ' ' + value_of(group, key).text;
    }
    return label;
}

AxisUnit unit_of(const DrawnFigure& figure, const BatchExtent& extent) {
    return unit_for(figure.quantity, std::max(std::abs(extent.low), std::abs(extent.high)));
}

std::string none_note(const DrawnFigure& figure, const BatchExtent& extent) {
    return extent.low == 0 and extent.high == 0 ? figure.none : "";
}

AxisUnit set_value_axis(Picture& picture, const DrawnFigure& figure, const BatchExtent& extent) {
    const AxisUnit unit = unit_of(figure, extent);
    picture.y_label = axis_label(figure.what, unit);
    picture.y_range = roomy_range(extent.low * unit.factor, extent.high * unit.factor);
    return unit;
}

}  // namespace groma
