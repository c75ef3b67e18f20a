// The offset between two clocks from four-timestamp probes, with its error bound (RFC 5905, section 8).
#pragma once

#include <cstdint>
#include <optional>

#include "common/time/instant.hpp"

namespace groma {

/// What to subtract from "received minus sent", and how wrong that can be whatever the path's asymmetry.
struct ClockOffset {
    Nanos offset{0};  ///< the answering side's clock minus the asking side's
    Nanos bound{0};   ///< |error| <= half of the probe's round-trip delay, at the time of the probe
    bool operator==(const ClockOffset&) const = default;
};

/// Keeps the probe with the smallest round-trip delay: it has the tightest bound.
class MinimumDelayFilter {
public:
    /// T1 sent, T2 received, T3 answered, T4 back; T1 and T4 on the asking side's clock, T2 and T3 on the other one.
    /// A probe whose times contradict each other (a negative delay: a clock was set) is left out.
    void add(WallTime t1, WallTime t2, WallTime t3, WallTime t4) noexcept;

    /// offset = ((T2 - T1) + (T3 - T4)) / 2, delay = (T4 - T1) - (T3 - T2). Nothing before the first usable probe.
    [[nodiscard]] std::optional<ClockOffset> best() const { return best_; }
    [[nodiscard]] std::uint64_t used() const { return used_; }
    [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

private:
    std::optional<ClockOffset> best_;
    std::uint64_t used_ = 0;
    std::uint64_t left_out_ = 0;
};

}  // namespace groma
