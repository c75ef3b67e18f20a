// Estimates a path's round-trip time, and derives when to follow an unanswered datagram by another (RFC 6298 section 2
// for the estimate, RFC 9002 sections 6.1.2 and 6.2.1 for its use). Pure.
#pragma once

#include <optional>

#include "common/time/instant.hpp"

namespace groma {

/// How long a receiver delays an acknowledgement at most.
inline constexpr Nanos kLongestAckDelay = std::chrono::milliseconds(5);

class RttEstimator {
public:
    /// `held_back`: the peer's reported delay before its answer.
    void on_sample(Nanos rtt, Nanos held_back);

    [[nodiscard]] bool known() const { return latest_.has_value(); }
    [[nodiscard]] Nanos smoothed() const { return smoothed_; }

    /// How long after the last datagram without any answer to send a probe.
    [[nodiscard]] Nanos timeout() const;
    /// A datagram is lost if it is older than this when a later one is acknowledged.
    [[nodiscard]] Nanos loss_delay() const;

private:
    std::optional<Nanos> latest_;
    Nanos lowest_{0};
    Nanos smoothed_ = std::chrono::milliseconds(100);  // until the first sample
    Nanos variation_ = std::chrono::milliseconds(50);
};

}  // namespace groma
