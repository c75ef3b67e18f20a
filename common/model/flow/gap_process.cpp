#include "common/model/flow/gap_process.hpp"

#include <variant>

#include "common/model/distributions/distribution_check.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

GapProcess::GapProcess(const Distribution& distribution, std::uint64_t seed) {
    if (const auto* constant = std::get_if<Constant>(&distribution)) {
        constant_ = constant->value;
    }
    if (not(constant_ > 0)) {
        sampler_.emplace(distribution, seed);
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

}  // namespace groma
