#include "plots/gnuplot/columns.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace groma {

Grid::Grid(const AxisRange& range, bool logarithmic, std::size_t cells)
    : logarithmic_(logarithmic and range.low > 0 and range.high > 0),
      low_(at(range.low)),
      scale_(static_cast<double>(cells) / std::max(at(range.high) - at(range.low), 1e-300)) {}

double Grid::at(double value) const {
    return logarithmic_ ? std::log(std::max(value, 1e-300)) : value;
}

std::int64_t Grid::operator()(double value) const {
    // Far outside of the axis it does not matter where; within, the cast is exact enough.
    return static_cast<std::int64_t>(std::clamp(std::floor((at(value) - low_) * scale_), -1e9, 1e9));
}

double lower_median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

PicturePoint median_of(std::span<const PicturePoint> column) {
    std::vector<double> values;
    values.reserve(column.size());
    std::ranges::transform(column, std::back_inserter(values), &PicturePoint::y);
    return {column[column.size() / 2].x, lower_median(values)};
}

BandPoint extremes_of(std::span<const PicturePoint> column) {
    const auto [low, high] = std::ranges::minmax_element(column, {}, &PicturePoint::y);
    return {column[column.size() / 2].x, low->y, high->y};
}

}  // namespace groma
