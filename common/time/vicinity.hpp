// Instants so near one of a run that plain arithmetic is safe: logs may be damaged or forged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "common/time/instant.hpp"

namespace groma {

/// All instants within 18 years of one. The difference of any two, minus an offset of at most 36 years, is within
/// kLongestSpan.
class Vicinity {
public:
    static constexpr std::int64_t kRadius = std::int64_t{1} << 59;

    explicit Vicinity(WallTime of) noexcept
        : from_(std::max(ns_since_epoch(of), std::numeric_limits<std::int64_t>::min() + kRadius) - kRadius),
          to_(std::min(ns_since_epoch(of), std::numeric_limits<std::int64_t>::max() - kRadius) + kRadius) {}

    [[nodiscard]] bool has(std::int64_t least_ns, std::int64_t most_ns) const noexcept {
        return least_ns >= from_ and most_ns <= to_;
    }
    [[nodiscard]] bool has(WallTime time) const noexcept { return has(ns_since_epoch(time), ns_since_epoch(time)); }

private:
    std::int64_t from_;
    std::int64_t to_;
};

}  // namespace groma
