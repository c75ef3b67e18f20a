#include "common/model/flow/draws.hpp"

#include <cmath>
#include <variant>

#include "common/model/text/quantity_text.hpp"

namespace groma {

GapProcess::GapProcess(const Distribution& distribution, ProcessSeed seed) {
    if (const auto* constant = std::get_if<Constant>(&distribution)) {
        constant_ = constant->value;
    }
    if (not(constant_ > 0)) {
        sampler_.emplace(distribution, seed.stream, seed.generator);
    }
}

double GapProcess::draw_random(DrawCounts& counts) noexcept {
    for (int tries = 0; tries <= kMaxRedraws; ++tries) {
        const double gap = sampler_->draw();
        if (gap >= 0 and gap <= kLargestValue) {
            return gap;
        }
        if (gap < 0 and gap >= -kLargestValue) {
            ++counts.gaps_raised;
            return 0;
        }
        ++counts.gaps_redrawn;
    }
    return kLargestValue;
}

SizeProcess::SizeProcess(const Distribution& distribution, SizeLimits limits, ProcessSeed seed) : limits_(limits) {
    const auto* constant = std::get_if<Constant>(&distribution);
    if (constant != nullptr and constant->value >= limits.smallest and constant->value <= limits.largest) {
        constant_ = static_cast<std::uint32_t>(std::lround(constant->value));
    }
    if (constant_ == 0) {
        sampler_.emplace(distribution, seed.stream, seed.generator);
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
