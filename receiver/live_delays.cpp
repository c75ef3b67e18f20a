#include "receiver/live_delays.hpp"

#include <algorithm>
#include <cmath>

namespace groma {

std::optional<RowDelays> delays_of(std::vector<CountedDelay> counted) {
    std::erase_if(counted, [](const CountedDelay& one) { return one.packets == 0; });
    if (counted.empty()) {
        return std::nullopt;
    }
    std::ranges::sort(counted, {}, &CountedDelay::delay);
    RowDelays delays{.min = counted.front().delay, .max = counted.back().delay};
    for (const CountedDelay& one : counted) {
        delays.packets += one.packets;
    }
    const auto percentile = [&](double fraction) {
        auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(delays.packets)));
        for (const CountedDelay& one : counted) {
            if (one.packets >= rank) {
                return one.delay;
            }
            rank -= one.packets;
        }
        return delays.max;
    };
    delays.p50 = percentile(0.5);
    delays.p90 = percentile(0.9);
    delays.p99 = percentile(0.99);
    return delays;
}

Nanos LiveDelays::middle_of(std::size_t bin) noexcept {
    const std::size_t of_sign = bin < kBins ? bin : bin - kBins;
    const std::int64_t low = lowest_of_bin(of_sign << kTogether);
    const std::int64_t high = highest_of_bin(((of_sign + 1) << kTogether) - 1);
    const std::int64_t middle = bin == 0 ? 0 : low + (high - low) / 2;
    return Nanos{bin < kBins ? middle : -middle};
}

std::vector<CountedDelay> LiveDelays::since_last() {
    std::vector<CountedDelay> counted;
    if (not begun_.load(std::memory_order_acquire)) {
        return counted;
    }
    const Nanos base{base_.load(std::memory_order_relaxed)};
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
        const std::uint32_t now = bins_[bin].load(std::memory_order_relaxed);
        const std::uint32_t grown = now - before_[bin];  // also when it has begun again at 0
        if (grown > 0) {
            counted.push_back({.delay = base + middle_of(bin), .packets = grown});
            before_[bin] = now;
        }
    }
    return counted;
}

}  // namespace groma
