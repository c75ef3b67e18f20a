#include "common/model/flow/size_process.hpp"

#include <cmath>
#include <variant>

namespace groma {

SizeProcess::SizeProcess(const Distribution& distribution, SizeLimits limits, std::uint64_t seed) : limits_(limits) {
    const auto* constant = std::get_if<Constant>(&distribution);
    if (constant != nullptr and constant->value >= limits.smallest and constant->value <= limits.largest) {
        constant_ = static_cast<std::uint32_t>(std::lround(constant->value));
    }
    if (constant_ == 0) {
        sampler_.emplace(distribution, seed);
    }
}

std::uint32_t SizeProcess::draw_random(DrawCounts& counts) noexcept {
    const double rounded_later = sampler_->draw() + 0.5;
    if (rounded_later >= static_cast<double>(limits_.largest) + 1) {
        ++counts.sizes_lowered;
        return limits_.largest;
    }
    // Written so that not-a-number counts as too small.
    if (not(rounded_later >= limits_.smallest)) {
        ++counts.sizes_raised;
        return limits_.smallest;
    }
    return static_cast<std::uint32_t>(rounded_later);
}

}  // namespace groma
