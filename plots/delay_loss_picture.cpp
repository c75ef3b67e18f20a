#include "plots/delay_loss_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "plots/quantity.hpp"
#include "plots/series_pictures.hpp"

namespace groma {

namespace {

constexpr double kGridColumns = 60;
constexpr double kGridRows = 30;

std::vector<PicturePoint> intervals_of(const FlowResults& flow) {
    std::vector<PicturePoint> points;
    for (const SeriesPoint& point : flow.series) {
        if (point.delay_mean_ns and point.lost and point.sent_packets.value_or(0) > 0) {
            // Lost ones that left at the very edge of an interval may be more than were sent in it.
            points.push_back({*point.delay_mean_ns, std::min(100 * *point.lost / *point.sent_packets, 100.0)});
        }
    }
    return points;
}

struct Extent {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    double most_lost = 0;

    void include(const PicturePoint& point) {
        low = std::min(low, point.x);
        high = std::max(high, point.x);
        most_lost = std::max(most_lost, point.y);
    }
};

/// Counts dots in a grid, in place of curves.
void count_in_cells(Picture& picture) {
    const AxisRange x = picture.x_range;
    const AxisRange y = picture.y_range;
    const double width = (x.high - x.low) / kGridColumns;
    const double height = (y.high - y.low) / kGridRows;
    std::map<std::pair<std::int64_t, std::int64_t>, double> counts;
    for (const Curve& curve : picture.curves) {
        for (const PicturePoint& point : curve.pieces.front()) {
            const auto column = static_cast<std::int64_t>((point.x - x.low) / width);
            const auto row = static_cast<std::int64_t>((point.y - y.low) / height);
            counts[{column, row}] += 1;
        }
    }
    for (const auto& [place, count] : counts) {
        const double left = x.low + width * static_cast<double>(place.first);
        const double bottom = y.low + height * static_cast<double>(place.second);
        picture.cells.push_back({{left, left + width}, {bottom, bottom + height}, count});
    }
    picture.curves.clear();
    picture.cell_label = "intervals";
    picture.log_cells = true;
}

}  // namespace

std::optional<Picture> draw_delay_against_loss(const RunResults& run) {
    Picture picture;
    Extent extent;
    for (std::size_t i = 0; i < run.flows.size(); ++i) {
        Curve curve{run.flows[i].name, i, Stroke::dots, true, {intervals_of(run.flows[i])}};
        if (curve.pieces.front().empty()) {
            continue;
        }
        std::ranges::for_each(curve.pieces.front(), [&](const PicturePoint& point) { extent.include(point); });
        picture.curves.push_back(std::move(curve));
    }
    if (extent.most_lost <= 0) {
        return std::nullopt;
    }
    const AxisUnit unit = unit_for(Quantity::nanoseconds, std::max(std::abs(extent.low), std::abs(extent.high)));
    for (Curve& curve : picture.curves) {
        for (PicturePoint& point : curve.pieces.front()) {
            point.x *= unit.factor;
        }
    }
    picture.title = "delay against loss, by interval";
    picture.x_label = axis_label("one-way delay, mean of an interval", unit);
    picture.y_label = "packets lost of those sent in it [%]";
    picture.x_range = roomy_range(extent.low * unit.factor, extent.high * unit.factor);
    picture.y_range = {0, 1.05 * extent.most_lost};
    if (run.flows.size() > kMostCurves) {
        count_in_cells(picture);
    }
    return picture;
}

}  // namespace groma
