// How one clock runs against another, from four-timestamp probes over a while: offset, skew, and the steps that either
// clock made in between. Every probe limits the offset whatever the path's asymmetry (RFC 5905, section 8); what is
// looked for are the straight lines that no probe contradicts (convex hulls of both directions; Zhang, Liu, Xia,
// INFOCOM 2002), one for each stretch between two steps. Pure.
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

/// Between two breaks: offset(t) = offset + skew * (t - reference), within `bound`. Times are the asking side's.
struct ClockPiece {
    WallTime at{};         ///< it is used from here on; the first piece for all times before as well
    WallTime from{};       ///< it may hold from here on ...
    WallTime until{};      ///< ... to here: beyond, it does not
    WallTime reference{};  ///< when its first probe was sent
    WallTime last{};       ///< when its last probe came back
    Nanos offset{0};       ///< the answering side's clock minus the asking side's, at `reference`
    double skew = 0;       ///< seconds a second: 1e-6 is one part per million
    double skew_error = 0;
    Nanos bound{0};  ///< |error| of offset(t) from `reference` to `last`; it grows by skew_error outside
    std::uint64_t probes = 0;
    bool operator==(const ClockPiece&) const = default;
};

struct ClockStep {
    WallTime at{};    ///< on the asking side's clock
    Nanos within{0};  ///< it happened at most so long before or after
    Nanos size{0};    ///< of the offset: positive when the answering side's clock jumped ahead of the asking one's
    Nanos error{0};   ///< of the size, at most
    bool operator==(const ClockStep&) const = default;
};

struct ClockFit {
    std::vector<ClockPiece> pieces;  ///< in order of `at`; empty: no usable probe, or far too many steps
    std::vector<ClockStep> steps;    ///< where pieces meet without one, a clock changed its rate
    std::uint64_t used = 0;
    std::uint64_t left_out = 0;  ///< contradict themselves

    /// What to take off "received minus sent" of a packet that left at this time. Requires: not pieces.empty().
    [[nodiscard]] Nanos offset(WallTime sent_at) const;
    /// How wrong that can be, whatever the path's asymmetry, as long as either clock ran at one rate between breaks.
    /// Near a break either piece may hold: what they differ by is part of it. Requires: not pieces.empty().
    [[nodiscard]] Nanos bound(WallTime sent_at) const;
    /// The largest bound from one time to another. Requires: not pieces.empty(), first <= last.
    [[nodiscard]] Nanos bound(WallTime first, WallTime last) const;
    bool operator==(const ClockFit&) const = default;
};

/// No clock runs faster or slower than another by more: what looks like it is a step (adjtimex(2) allows 500 ppm).
inline constexpr double kMostSkew = 500e-6;

/// In the order in which they were taken. For any values.
[[nodiscard]] ClockFit fit_clock(std::span<const ProbeTimes> probes);

}  // namespace groma
