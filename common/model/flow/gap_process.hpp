// Spans of time drawn from a distribution and made usable: gaps between departures, ON and OFF periods.
#pragma once

#include <cstdint>
#include <optional>

#include "common/model/distributions/sampler.hpp"
#include "common/model/flow/schedule.hpp"

namespace groma {

/// The rules (docs/reference/models.md): below 0 becomes 0; not finite or beyond 2^62 ns is drawn again, at most
/// kMaxRedraws times, and then is 2^62 ns, which ends the flow.
class GapProcess {
public:
    static constexpr int kMaxRedraws = 64;

    GapProcess(const Distribution& distribution, std::uint64_t seed);

    /// Returns: nanoseconds, from 0 to 2^62.
    [[nodiscard]] double draw(DrawCounts& counts) noexcept { return constant_ > 0 ? constant_ : draw_random(counts); }

private:
    [[nodiscard]] double draw_random(DrawCounts& counts) noexcept;

    std::optional<Sampler> sampler_;  ///< none of a constant that needs no draw
    double constant_ = 0;             ///< the value of a constant distribution, which needs no draw; otherwise 0
};

}  // namespace groma
