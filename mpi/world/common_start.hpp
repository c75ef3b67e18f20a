// The common start of all senders of a job, on each sender's own clock. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// A rank's clock minus this rank's, by ping-pong. Uses the shortest round trip and assumes equal delays both ways; the
/// error is at most half of it.
class ClockComparison {
public:
    /// Replaces an unanswered ping.
    void on_ping(std::uint32_t number, MonoTime sent) { ping_ = {number, sent}; }
    /// `answered`: on the rank's clock; `back`: on this rank's. Ignores a late answer to an earlier ping.
    void on_pong(std::uint32_t number, MonoTime answered, MonoTime back);
    /// Whether a ping is unanswered.
    [[nodiscard]] bool waits() const { return ping_.has_value(); }

    /// Empty if no ping was answered.
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
    Nanos clock_difference;  ///< its clock minus rank 0's
    Nanos margin;            ///< time that it needs between the message and the start
};

/// Returns: the start on the clock of each sender, in order. It lies far enough after `now` (rank 0's clock) for the
/// message to arrive and for the longest margin, up to a minute.
[[nodiscard]] std::vector<MonoTime> common_start(MonoTime now, std::span<const ReadySender> senders);

}  // namespace groma
