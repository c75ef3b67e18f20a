// How the receiver's clock is related to the sender's, and what that means for one-way delays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "common/stats/clock/clock_fit.hpp"
#include "common/time/difference.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct ClockState {
    enum class Kind : std::uint8_t {
        unknown,    ///< only one side's log, and no probe
        one_clock,  ///< both sides ran on one kernel: offset exactly 0
        probed,     ///< offset, skew and steps from probes, with a bound
        relative,   ///< no usable probes: delays are relative to the smallest one of the flow
        interface,  ///< arrivals are stamped by the receiver's interface, whose clock nothing relates: likewise
        several,    ///< of a run whose flows differ
    };

    Kind kind = Kind::unknown;
    Nanos offset{0};  ///< when the run began: the receiver's clock minus the sender's; of one_clock and probed
    Nanos bound{0};   ///< |error of offset_at()| <= bound for all packets of the flow; of one_clock and probed
    std::uint64_t probes = 0;
    ClockFit fit{};                   ///< of probed: has at least one piece
    bool without_sender_log = false;  ///< of relative: that log, which has the probes, is not there
    std::string unusable{};           ///< of relative: how many probes there were, and why none is used; empty: none

    [[nodiscard]] bool absolute() const { return kind == Kind::one_clock or kind == Kind::probed; }
    /// At a time of the sender's clock; 0 unless probed.
    [[nodiscard]] Nanos offset_at(WallTime time) const { return kind == Kind::probed ? fit.offset(time) : Nanos{0}; }
    /// What to subtract from "received minus sent" of a packet: the offset when it arrived. `sent_at`: approximately.
    [[nodiscard]] Nanos offset_of_arrival(WallTime received_at, WallTime sent_at) const {
        return offset_at(moved(received_at, -offset_at(sent_at)));
    }
    /// Of a packet: "received minus sent", corrected. Empty: they are more than 73 years apart.
    [[nodiscard]] std::optional<Nanos> delay(WallTime received_at, WallTime sent_at) const {
        const Nanos delay = difference(received_at, sent_at, offset_of_arrival(received_at, sent_at));
        return is_limited(difference(received_at, sent_at)) or is_limited(delay) ? std::nullopt : std::optional(delay);
    }
    /// On a clock that keeps the offset at the start of the run: without skew and steps, as far as they are known.
    [[nodiscard]] WallTime steady(WallTime received_at, WallTime sent_at) const {
        return moved(received_at, offset - offset_of_arrival(received_at, sent_at));
    }
    /// The largest |error| of it from `first` to `last`. Requires: absolute().
    [[nodiscard]] Nanos bound_between(WallTime first, WallTime last) const {
        return kind == Kind::probed ? fit.bound(first, std::max(first, last)) : Nanos{0};
    }
    /// Whether no clocks within their largest error have such a one-way delay. `sent_at`: approximately. Requires:
    /// absolute().
    [[nodiscard]] bool excludes(Nanos delay, WallTime sent_at) const {
        constexpr Nanos kRounding{1000};
        return delay < -bound_between(sent_at, sent_at) - kRounding;
    }
    bool operator==(const ClockState&) const = default;
};

/// One word, for files: "unknown", "one clock", "probed", "relative", "interface", "several".
[[nodiscard]] std::string to_string(ClockState::Kind kind);

/// A phrase for people: "one clock, offset 0", "offset 1.2 ms, error at most 30 us, skew 12.1 +- 0.4 ppm (90 probes)",
/// ...
[[nodiscard]] std::string describe(const ClockState& clock);

}  // namespace groma
