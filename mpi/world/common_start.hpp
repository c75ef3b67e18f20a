// The one instant at which all senders of a job start, as each reads it on its own clock. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// What a rank's clock shows minus what this one's shows, by ping-pong: from the shortest round trip, as if both ways
/// had taken the same time, and thus off by half of it at most.
class ClockComparison {
public:
    /// Takes the place of a ping that has no answer.
    void on_ping(std::uint32_t number, MonoTime sent) { ping_ = {number, sent}; }
    /// `answered` is the rank's clock, `back` this one's. An answer to an earlier ping, which came late, says nothing.
    void on_pong(std::uint32_t number, MonoTime answered, MonoTime back);
    /// A ping has no answer yet.
    [[nodiscard]] bool waits() const { return ping_.has_value(); }

    /// Nothing when no ping was answered.
    [[nodiscard]] std::optional<Nanos> difference() const;

private:
    struct Ping {
        std::uint32_t number;
        MonoTime sent;
    };
    std::optional<Ping> ping_;
    Nanos shortest_ = Nanos::max();
    Nanos difference_{0};
};

/// A rank that is ready to send.
struct ReadySender {
    Nanos clock_difference;  ///< of its clock to that of rank 0
    Nanos margin;            ///< it asks for: from hearing of the start to the start
};

/// Returns: one instant on the clock of each, in their order, so long after `now` (rank 0's clock) that it reaches them
/// before it comes, and that the longest margin is kept, up to a minute.
[[nodiscard]] std::vector<MonoTime> common_start(MonoTime now, std::span<const ReadySender> senders);

}  // namespace groma
