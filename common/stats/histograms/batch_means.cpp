#include "common/stats/histograms/batch_means.hpp"

#include <algorithm>
#include <cmath>

#include "common/stats/histograms/stretches.hpp"

namespace groma {

void BatchMeans::begin_next() noexcept {
    if (begun_ == kMost) {
        for (std::size_t i = 0; i < kMost / 2; ++i) {
            sums_[i] = sums_[2 * i] + sums_[2 * i + 1];
        }
        begun_ = kMost / 2;
        length_ *= 2;
    }
    sums_[begun_] = 0;
    ++begun_;
    filled_ = 0;
}

void BatchMeans::add(std::span<const std::int64_t> values) noexcept {
    while (not values.empty()) {
        if (filled_ == length_) {
            begin_next();
        }
        const auto part = values.first(std::min<std::uint64_t>(values.size(), length_ - filled_));
        sums_[begun_ - 1] += static_cast<double>(sum_of(part));
        filled_ += part.size();
        values = values.subspan(part.size());
    }
}

std::optional<double> BatchMeans::error() const {
    const std::size_t complete = filled_ == length_ ? begun_ : begun_ - 1;
    if (length_ == 1) {
        return std::nullopt;
    }
    const auto count = static_cast<double>(complete);
    const auto length = static_cast<double>(length_);
    const auto sums = std::span(sums_).first(complete);
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
