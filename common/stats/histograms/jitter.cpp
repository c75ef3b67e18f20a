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

// Each step waits for the one before it. Four steps at once are J (15/16)^4 plus the four changes with their weights.
void JitterMeter::smooth(std::span<const std::int64_t> changes_ns) noexcept {
    constexpr double k = 15.0 / 16;
    double jitter = rfc3550_ns_;
    for (; changes_ns.size() >= 4; changes_ns = changes_ns.subspan(4)) {
        const auto change = [&](std::size_t i) { return static_cast<double>(changes_ns[i]); };
        const double later = change(3) + k * change(2);
        const double sooner = change(1) + k * change(0);
        jitter = (k * k) * (k * k) * jitter + (later + (k * k) * sooner) / 16;
    }
    for (const std::int64_t change : changes_ns) {
        jitter += (static_cast<double>(change) - jitter) / 16;
    }
    rfc3550_ns_ = jitter;
}

double JitterMeter::ditg_ns() const {
    return differences_ == 0 ? 0 : static_cast<double>(sum_ns_) / static_cast<double>(differences_);
}

}  // namespace groma
