#include "common/stats/histograms/batch_means.hpp"

#include <algorithm>
#include <cmath>

#include "common/stats/histograms/stretches.hpp"

namespace groma {

void BatchMeans::add(std::span<const std::int64_t> values) {
    while (not values.empty()) {
        double& sum = sums_.open();
        const auto part = values.first(std::min<std::uint64_t>(values.size(), sums_.room()));
        sum += static_cast<double>(sum_of(part));
        sums_.fill(part.size());
        values = values.subspan(part.size());
    }
}

std::optional<double> BatchMeans::error() const {
    if (sums_.length() == 1) {
        return std::nullopt;
    }
    const auto sums = sums_.complete();
    const auto count = static_cast<double>(sums.size());
    const auto length = static_cast<double>(sums_.length());
    double mean = 0;
    for (const double sum : sums) {
        mean += sum / length / count;
    }
    double squares = 0;
    for (const double sum : sums) {
        squares += (sum / length - mean) * (sum / length - mean);
    }
    return std::sqrt(squares / (count - 1) / count);
}

}  // namespace groma
