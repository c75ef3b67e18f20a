#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "common/stats/fit/sample_statistics.hpp"
#include "plots/pictures/batch_drawing.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostBoxes = 40;
constexpr std::size_t kMostLabelBytes = 90;  // side by side below the boxes

struct Boxes {
    Picture picture;
    Curve runs{"a run each", 1, Stroke::dots, true, {{}}};
    BatchExtent extent;
    std::size_t groups = 0;  ///< with the figure; the first kMostBoxes are drawn
    bool several = false;    ///< runs of a group
};

void add_box(Boxes& boxes, const std::vector<double>& values, std::string label) {
    const auto x = static_cast<double>(boxes.groups);
    const BoxFigures box = box_of(values);
    boxes.picture.boxes.push_back({x, box.whisker_low, box.lower, box.median, box.upper, box.whisker_high});
    boxes.picture.x_ticks.push_back({x, std::move(label)});
    for (const double value : values) {
        boxes.runs.pieces.front().push_back({x, value});
        boxes.extent.include(value);
    }
    boxes.several = boxes.several or values.size() > 1;
}

Boxes boxes_of(const BatchResults& results, const DrawnFigure& figure, const std::vector<std::string>& varied) {
    Boxes boxes;
    for (const BatchGroup& group : results.groups) {
        const BatchFigure* found = figure_of(group, figure);
        if (found != nullptr and not found->values.empty() and ++boxes.groups <= kMostBoxes) {
            add_box(boxes, found->values, varied.empty() ? "all runs" : label_of(group, varied));
        }
    }
    return boxes;
}

void scale(Boxes& boxes, double factor) {
    for (Box& box : boxes.picture.boxes) {
        box = {box.x, box.low * factor, box.lower * factor, box.median * factor, box.upper * factor, box.high * factor};
    }
    for (PicturePoint& point : boxes.runs.pieces.front()) {
        point.y *= factor;
    }
}

}  // namespace

std::optional<Picture> draw_boxes(const BatchResults& results, const DrawnFigure& figure) {
    const std::vector<std::string> varied = results.varied_keys();
    Boxes boxes = boxes_of(results, figure, varied);
    if (not boxes.several) {
        return std::nullopt;
    }
    scale(boxes, set_value_axis(boxes.picture, figure, boxes.extent).factor);
    Picture picture = std::move(boxes.picture);
    picture.curves = {std::move(boxes.runs)};
    picture.stem = std::string("box-") + figure.stem;
    picture.title = std::string(figure.what) + ", repetitions" + none_note(figure, boxes.extent);
    if (boxes.groups > kMostBoxes) {
        picture.title += fmt::format(" (the first {} of {} groups)", kMostBoxes, boxes.groups);
    }
    for (const std::string& key : varied) {
        picture.x_label += (picture.x_label.empty() ? "" : ", ") + key;
    }
    picture.x_range = {0.4, static_cast<double>(picture.boxes.size()) + 0.6};
    std::size_t bytes = 0;
    for (const AxisTick& tick : picture.x_ticks) {
        bytes += tick.label.size() + 2;
    }
    picture.slanted_ticks = bytes > kMostLabelBytes;
    return picture;
}

}  // namespace groma
