// Payload sizes drawn from a distribution and made sendable.
#pragma once

#include <cstdint>
#include <optional>

#include "common/model/distributions/sampler.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/model/flow/schedule.hpp"

namespace groma {

/// Draws are rounded to the nearest byte (halves up), then raised or lowered to what the transport can carry.
class SizeProcess {
public:
    SizeProcess(const Distribution& distribution, SizeLimits limits, std::uint64_t seed);

    [[nodiscard]] std::uint32_t draw(DrawCounts& counts) noexcept {
        return constant_ > 0 ? constant_ : draw_random(counts);
    }

private:
    [[nodiscard]] std::uint32_t draw_random(DrawCounts& counts) noexcept;

    std::optional<Sampler> sampler_;  ///< none of a constant that needs no draw
    SizeLimits limits_;
    std::uint32_t constant_ = 0;  ///< the value of a constant distribution within the limits; otherwise 0
};

}  // namespace groma
