#include "common/stats/fit/scaling_line.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace groma {

namespace {

/// P(chi-square >= x).
double chance_of(double x, std::size_t freedom) {
    return freedom == 0 ? 1 : boost::math::gamma_q(static_cast<double>(freedom) / 2, x / 2);
}

}  // namespace

ScalingLine weighted_line(std::span<const ScalePoint> points) {
    double weights = 0;
    double mean_scale = 0;
    double mean_value = 0;
    for (const ScalePoint& point : points) {
        const double weight = 1 / (point.error * point.error);
        weights += weight;
        mean_scale += weight * point.log2_scale;
        mean_value += weight * point.value;
    }
    mean_scale /= weights;
    mean_value /= weights;
    double squares = 0;
    double products = 0;
    for (const ScalePoint& point : points) {
        const double weight = 1 / (point.error * point.error);
        const double apart = point.log2_scale - mean_scale;
        squares += weight * apart * apart;
        products += weight * apart * (point.value - mean_value);
    }
    ScalingLine line;
    line.slope = products / squares;
    line.slope_error = 1 / std::sqrt(squares);
    line.at_zero = mean_value - line.slope * mean_scale;
    double misfit = 0;
    for (const ScalePoint& point : points) {
        const double off = (point.value - line.at_zero - line.slope * point.log2_scale) / point.error;
        misfit += off * off;
    }
    line.chance = chance_of(misfit, points.size() - 2);
    return line;
}

std::optional<ScalingLine> line_from_onset(std::span<const ScalePoint> points) {
    constexpr std::size_t kFewest = 3;
    constexpr double kRefused = 0.05;
    std::optional<ScalingLine> best;
    for (std::size_t first = 0; first + kFewest <= points.size(); ++first) {
        ScalingLine line = weighted_line(points.subspan(first));
        line.first = first;
        if (line.chance >= kRefused) {
            return line;
        }
        if (not best or line.chance > best->chance) {
            best = line;
        }
    }
    return best;
}

}  // namespace groma
