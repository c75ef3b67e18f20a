#include "plots/gnuplot/picture.hpp"

#include <algorithm>
#include <cmath>

namespace groma {

AxisRange roomy_range(double low, double high) {
    constexpr double kRoom = 0.05;
    const double span = high - low;
    const double magnitude = std::max(std::abs(low), std::abs(high));
    // Narrower than the ticks of an axis can resolve.
    if (span <= 1e-9 * magnitude or span <= 0) {
        const double room = kRoom * magnitude;
        return magnitude > 0 ? AxisRange{low - room, high + room} : AxisRange{0, 1};
    }
    // The axis begins at zero unless the values are far from it.
    const bool from_zero = low >= 0 and low < 0.7 * high;
    return {from_zero ? 0 : low - kRoom * span, high + kRoom * span};
}

}  // namespace groma
