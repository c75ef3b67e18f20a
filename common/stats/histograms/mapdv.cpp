#include "common/stats/histograms/mapdv.hpp"

namespace groma {

void MapdvMeter::add(std::span<const std::int64_t> delays) {
    for (const std::int64_t delay : delays) {
        if (delays_++ == 0) {
            origin_ = delay;
        }
        const double distance = static_cast<double>(delay - origin_) - mean_;
        if (distance > 0) {
            above_ += distance;
            ++count_above_;
        } else if (distance < 0) {
            below_ -= distance;
            ++count_below_;
        }
        mean_ += distance / 16;
    }
}

std::optional<double> MapdvMeter::mapdv2_ns() const {
    if (delays_ < 2) {
        return std::nullopt;
    }
    const auto mean = [](double sum, std::uint64_t count) { return count == 0 ? 0 : sum / static_cast<double>(count); };
    return mean(above_, count_above_) + mean(below_, count_below_);
}

}  // namespace groma
