#include "plots/gnuplot/log_axis.hpp"

#include <fmt/format.h>

#include <cmath>

namespace groma {

std::vector<AxisTick> logarithmic_ticks(const AxisRange& range, std::string (*label)(double)) {
    const bool fine = range.high < 1e4 * range.low;
    std::vector<AxisTick> ticks;
    // A range of 0 or without an end, of a damaged file, has ticks as far as there are normal numbers.
    for (double decade = std::pow(10, std::floor(std::log10(range.low)));
         std::isnormal(decade) and decade <= range.high; decade *= 10) {
        for (const double step : {1.0, 2.0, 5.0}) {
            const double at = decade * step;
            if ((fine or step <= 1) and at >= range.low and at <= range.high) {
                ticks.push_back({at, label(at)});
            }
        }
    }
    return ticks;
}

std::vector<AxisTick> decades_below_one(double least) {
    constexpr int kMostDecades = 10;
    std::vector<AxisTick> ticks;
    double at = 1;
    for (int i = 0; i <= kMostDecades and at >= least; ++i) {
        ticks.push_back({at, fmt::format("{:g}", at)});
        at /= 10;
    }
    return ticks;
}

std::vector<AxisTick> whole_ticks(const AxisRange& range) {
    constexpr int kWide = 20;
    constexpr double kMostSingle = 10;
    const double span = range.high - range.low;
    std::vector<AxisTick> ticks;
    if (span > kWide) {
        return ticks;
    }
    const double step = span > kMostSingle ? 2 : 1;
    const double first = step * std::ceil(range.low / step);
    for (int i = 0; i <= kWide and first + i * step <= range.high; ++i) {
        ticks.push_back({first + i * step, fmt::format("{:g}", first + i * step)});
    }
    return ticks;
}

}  // namespace groma
