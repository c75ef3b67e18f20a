// Estimate of the round-trip time of a path and what follows from it: when a datagram without an answer is to be
// followed by another (RFC 6298 section 2 for the estimate, RFC 9002 sections 6.1.2 and 6.2.1 for its use). Pure.
#pragma once

#include <optional>

#include "common/time/instant.hpp"

namespace groma {

/// A receiver holds an acknowledgement back for so long at most.
inline constexpr Nanos kLongestAckDelay = std::chrono::milliseconds(5);

class RttEstimator {
public:
    /// `held_back` is how long the peer says it waited before it answered.
    void on_sample(Nanos rtt, Nanos held_back);

    [[nodiscard]] bool known() const { return latest_.has_value(); }
    [[nodiscard]] Nanos smoothed() const { return smoothed_; }

    /// So long after the last datagram without any answer it is time to ask.
    [[nodiscard]] Nanos timeout() const;
    /// A datagram that is older than this when a later one is acknowledged is lost.
    [[nodiscard]] Nanos loss_delay() const;

private:
    std::optional<Nanos> latest_;
    Nanos lowest_{0};
    Nanos smoothed_ = std::chrono::milliseconds(100);  // until there is a sample
    Nanos variation_ = std::chrono::milliseconds(50);
};

}  // namespace groma
