#include "common/stats/histograms/confidence.hpp"

#include <algorithm>
#include <cmath>

namespace groma {

ShareInterval share_interval(double share, double independent) {
    const double z2 = kTwoSided95 * kTwoSided95 / independent;
    const double middle = (share + z2 / 2) / (1 + z2);
    const double half = std::sqrt(share * (1 - share) * z2 + z2 * z2 / 4) / (1 + z2);
    return {std::max(middle - half, 0.0), std::min(middle + half, 1.0)};
}

std::optional<PercentileInterval> percentile_interval(const LogHistogram& values, double fraction, double independent) {
    if (values.count() == 0 or independent * std::min(fraction, 1 - fraction) < kLeastBeyond) {
        return std::nullopt;
    }
    const ShareInterval ranks = share_interval(fraction, independent);
    return PercentileInterval{values.percentile(ranks.low), values.percentile(ranks.high)};
}

}  // namespace groma
