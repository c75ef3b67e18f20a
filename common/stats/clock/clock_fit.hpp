// How one clock runs against another, from four-timestamp probes over time: offset, skew, and steps of either clock.
// Every probe bounds the offset, whatever the path's asymmetry (RFC 5905, section 8). Finds the straight lines that no
// probe contradicts (convex hulls of both directions; Zhang, Liu, Xia, INFOCOM 2002), one for each stretch between two
// steps. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// T1 and T4 on the requester's clock, T2 and T3 on the responder's (RFC 5905).
struct ProbeTimes {
    WallTime sent{};      ///< T1
    WallTime received{};  ///< T2
    WallTime answered{};  ///< T3
    WallTime returned{};  ///< T4
    bool operator==(const ProbeTimes&) const = default;
};

/// Between two breaks: offset(t) = offset + skew * (t - reference), within `bound`. Times are the requester's.
struct ClockPiece {
    WallTime at{};         ///< use it from here on; the first piece for all earlier times, too
    WallTime from{};       ///< it may hold from here ...
    WallTime until{};      ///< ... to here, but not beyond
    WallTime reference{};  ///< when its first probe was sent
    WallTime last{};       ///< when its last probe came back
    Nanos offset{0};       ///< responder's clock minus requester's, at `reference`
    double skew = 0;       ///< seconds per second: 1e-6 is one part per million
    double skew_error = 0;
    Nanos bound{0};  ///< |error| of offset(t) from `reference` to `last`; it grows by skew_error outside
    std::uint64_t probes = 0;
    bool operator==(const ClockPiece&) const = default;
};

struct ClockStep {
    WallTime at{};    ///< on the requester's clock
    Nanos within{0};  ///< it happened at most this long before or after `at`
    Nanos size{0};    ///< of the offset: positive if the responder's clock jumped ahead of the requester's
    Nanos error{0};   ///< of the size, at most
    bool operator==(const ClockStep&) const = default;
};

struct ClockFit {
    std::vector<ClockPiece> pieces;  ///< in order of `at`; empty: no usable probe, or steps between most of them
    std::vector<ClockStep> steps;    ///< where pieces meet without a step, a clock changed its rate
    std::uint64_t used = 0;
    std::uint64_t left_out = 0;  ///< probes that contradict themselves, or of clocks 73 years apart

    /// What to subtract from "received minus sent" of a packet that left at this time. Requires: not pieces.empty().
    [[nodiscard]] Nanos offset(WallTime sent_at) const;
    /// The largest error of offset(), whatever the path's asymmetry, as long as both clocks ran at one rate between
    /// breaks. Near a break either piece may hold: their difference is included. Requires: not pieces.empty().
    [[nodiscard]] Nanos bound(WallTime sent_at) const;
    /// The largest bound between two times. Requires: not pieces.empty(), first <= last.
    [[nodiscard]] Nanos bound(WallTime first, WallTime last) const;
    bool operator==(const ClockFit&) const = default;
};

/// The largest difference in speed of two clocks; more than that is a step (adjtimex(2) allows 500 ppm).
inline constexpr double kMostSkew = 500e-6;

/// Requires: probes in the order in which they were taken. Accepts any values.
[[nodiscard]] ClockFit fit_clock(std::span<const ProbeTimes> probes);

}  // namespace groma
