#include "common/stats/histograms/jitter.hpp"

#include <cstddef>

#include "common/stats/histograms/stretches.hpp"

namespace groma {

void JitterMeter::add(std::span<const std::int64_t> delays_ns, std::span<std::int64_t> changes_ns) noexcept {
    if (not delays_ns.empty() and not before_) {
        static_cast<void>(add(Nanos{delays_ns.front()}));
        changes_ns.front() = 0;
        delays_ns = delays_ns.subspan(1);
        changes_ns = changes_ns.subspan(1);
    }
    if (delays_ns.empty()) {
        return;
    }
    differences_of(delays_ns, before_->count(), changes_ns);
    take_magnitudes(changes_ns);
    before_ = Nanos{delays_ns.back()};
    differences_ += delays_ns.size();
    sum_ns_ += sum_of(changes_ns);
    smooth(changes_ns);
}

// Each step waits for the one before it. Of four steps at once, J after step i is J (15/16)^i plus the changes up to
// then with their weights, which wait for no J.
void JitterMeter::smooth(std::span<const std::int64_t> changes_ns) noexcept {
    constexpr double k = 15.0 / 16;
    double jitter = rfc3550_ns_;
    double most = rfc3550_max_ns_;
    for (; changes_ns.size() >= 4; changes_ns = changes_ns.subspan(4)) {
        const auto change = [&](std::size_t i) { return static_cast<double>(changes_ns[i]) / 16; };
        const double first = change(0);
        const double second = change(1) + k * first;
        const double third = change(2) + k * second;
        const double fourth = change(3) + k * third;
        most = std::max(
            most, std::max(std::max(k * jitter + first, (k * k) * jitter + second), (k * k * k) * jitter + third));
        jitter = (k * k) * (k * k) * jitter + fourth;
        most = std::max(most, jitter);
    }
    for (const std::int64_t change : changes_ns) {
        jitter += (static_cast<double>(change) - jitter) / 16;
        most = std::max(most, jitter);
    }
    rfc3550_ns_ = jitter;
    rfc3550_max_ns_ = most;
}

// J(i) - J(i-1) = (|D(i)| - J(i-1)) / 16; summed over all i, the left side is the last J.
double JitterMeter::rfc3550_mean_ns() const {
    return differences_ == 0 ? 0 : ditg_ns() - 15 * rfc3550_ns_ / static_cast<double>(differences_);
}

double JitterMeter::ditg_ns() const {
    return differences_ == 0 ? 0 : static_cast<double>(sum_ns_) / static_cast<double>(differences_);
}

}  // namespace groma
