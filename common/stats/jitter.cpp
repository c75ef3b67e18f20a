#include "common/stats/jitter.hpp"

namespace groma {

std::optional<Nanos> JitterMeter::add(Nanos delay) noexcept {
    const std::optional<Nanos> before = before_;
    before_ = delay;
    if (not before) {
        return std::nullopt;
    }
    const Nanos change = std::chrono::abs(delay - *before);
    const double change_ns = static_cast<double>(change.count());
    ++differences_;
    sum_ns_ += change_ns;
    rfc3550_ns_ += (change_ns - rfc3550_ns_) / 16;
    return change;
}

double JitterMeter::ditg_ns() const {
    return differences_ == 0 ? 0 : sum_ns_ / static_cast<double>(differences_);
}

}  // namespace groma
