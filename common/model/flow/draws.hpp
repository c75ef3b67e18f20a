// Draws of a flow's processes, made usable: spans of time and sizes (docs/reference/models.md has the rules).
#pragma once

#include <cstdint>
#include <optional>

#include "common/model/distributions/sampler.hpp"
#include "common/model/distributions/stream.hpp"
#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// How many draws could not be used as drawn (docs/reference/models.md has the rule for each).
struct DrawCounts {
    std::uint64_t gaps_raised = 0;    ///< negative gaps that became 0
    std::uint64_t gaps_redrawn = 0;   ///< not finite or beyond 2^62 ns: drawn again
    std::uint64_t sizes_raised = 0;   ///< below the transport's smallest
    std::uint64_t sizes_lowered = 0;  ///< above the transport's largest

    bool operator==(const DrawCounts&) const = default;
};

/// Of one process of a flow.
struct ProcessSeed {
    std::uint64_t stream;
    Generator generator;
};

[[nodiscard]] inline ProcessSeed seed_of(const FlowSpec& spec, Process process) noexcept {
    return {stream_seed(spec.seed, spec.id, process), spec.generator};
}

/// Spans of time: gaps between departures, ON and OFF periods. Below 0 becomes 0; not finite or beyond 2^62 ns is drawn
/// again, at most kMaxRedraws times, and then is 2^62 ns, which ends the flow.
class GapProcess {
public:
    static constexpr int kMaxRedraws = 64;

    GapProcess(const Distribution& distribution, ProcessSeed seed);

    /// Returns: nanoseconds, from 0 to 2^62. Does not allocate.
    [[nodiscard]] double draw(DrawCounts& counts) noexcept { return constant_ > 0 ? constant_ : draw_random(counts); }

private:
    [[nodiscard]] double draw_random(DrawCounts& counts) noexcept;

    std::optional<Sampler> sampler_;  ///< none of a constant that needs no draw
    double constant_ = 0;             ///< the value of a constant distribution, which needs no draw; otherwise 0
};

/// Sizes: rounded to the nearest byte (halves up), then raised or lowered to what the transport can carry.
class SizeProcess {
public:
    SizeProcess(const Distribution& distribution, SizeLimits limits, ProcessSeed seed);

    /// Returns: bytes, within the limits. Does not allocate.
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
