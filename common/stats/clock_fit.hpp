// How one clock runs against another, from four-timestamp probes over a while: offset, skew, and the steps that either
// clock made in between. Minimum-delay probes (RFC 5905, section 8) of windows, then straight lines that no probe
// contradicts (lower convex hulls of both directions; Zhang, Liu, Xia, INFOCOM 2002). Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// T1 and T4 on the asking side's clock, T2 and T3 on the answering one (RFC 5905).
struct ProbeTimes {
    WallTime sent{};      ///< T1
    WallTime received{};  ///< T2
    WallTime answered{};  ///< T3
    WallTime returned{};  ///< T4
    bool operator==(const ProbeTimes&) const = default;
};

/// Between two steps: offset(t) = offset + skew * (t - reference), within `bound`.
struct ClockPiece {
    WallTime from{};  ///< on the asking side's clock; the first piece holds for all times before it as well
    WallTime reference{};
    Nanos offset{0};  ///< the answering side's clock minus the asking side's, at `reference`
    double skew = 0;  ///< seconds a second: 1e-6 is one part per million
    Nanos bound{0};   ///< |error| of offset(t) while probes were taken; it grows outside (see ClockFit::bound)
    std::uint64_t probes = 0;
    bool operator==(const ClockPiece&) const = default;
};

struct ClockStep {
    WallTime at{};    ///< on the asking side's clock: the middle between the probes before and after
    Nanos within{0};  ///< it happened at most so long before or after
    Nanos size{0};    ///< of the offset: positive when the answering side's clock jumped ahead of the asking one's
    bool operator==(const ClockStep&) const = default;
};

struct ClockFit {
    std::vector<ClockPiece> pieces;  ///< in order of time; empty: no usable probe
    std::vector<ClockStep> steps;    ///< one fewer than pieces
    std::uint64_t used = 0;
    std::uint64_t left_out = 0;  ///< contradict themselves

    /// What to take off "received minus sent" of a packet that left at this time. Requires: not pieces.empty().
    [[nodiscard]] Nanos offset(WallTime sent_at) const;
    /// How wrong that can be, whatever the path's asymmetry.
    [[nodiscard]] Nanos bound(WallTime sent_at) const;
};

/// In any order.
[[nodiscard]] ClockFit fit_clock(std::span<const ProbeTimes> probes);

}  // namespace groma
