#include "plots/pictures/delay_loss_picture.hpp"

#include <algorithm>
#include <cmath>

#include "plots/gnuplot/quantity.hpp"

namespace groma {

namespace {

/// How many intervals are in each cell of a grid over the picture.
void add_cells(Picture& picture, const DelayLoss& it) {
    const AxisRange x = picture.x_range;
    const AxisRange y = picture.y_range;
    const double width = (x.high - x.low) / kDelayLossColumns;
    const double height = (y.high - y.low) / kDelayLossRows;
    for (const auto& [place, count] : it.cells) {
        const double left = x.low + width * static_cast<double>(place.first);
        const double bottom = y.low + height * static_cast<double>(place.second);
        picture.cells.push_back({{left, left + width}, {bottom, bottom + height}, count});
    }
    picture.cell_label = picture.cells.empty() ? "" : "intervals";
    picture.log_cells = not picture.cells.empty();
}

void add_dots(Picture& picture, const RunResults& run, double factor) {
    for (std::size_t i = 0; i < run.delay_loss.flows.size(); ++i) {
        Curve curve{run.flows[i].name, i, Stroke::dots, true, {run.delay_loss.flows[i]}};
        for (PicturePoint& point : curve.pieces.front()) {
            point.x *= factor;
        }
        if (not curve.pieces.front().empty()) {
            picture.curves.push_back(std::move(curve));
        }
    }
}

}  // namespace

std::optional<Picture> draw_delay_against_loss(const RunResults& run) {
    const DelayLoss& it = run.delay_loss;
    if (it.most_lost <= 0) {
        return std::nullopt;
    }
    const AxisUnit unit =
        unit_for(Quantity::nanoseconds, std::max(std::abs(it.delay_ns.low), std::abs(it.delay_ns.high)));
    const AxisRange delay = delay_axis(it);
    Picture picture;
    picture.title = "delay against loss, by interval";
    picture.x_label = axis_label("one-way delay, mean of an interval", unit);
    picture.y_label = "packets lost of those sent in it [%]";
    picture.x_range = {delay.low * unit.factor, delay.high * unit.factor};
    picture.y_range = loss_axis(it);
    add_dots(picture, run, unit.factor);
    add_cells(picture, it);
    return picture;
}

}  // namespace groma
