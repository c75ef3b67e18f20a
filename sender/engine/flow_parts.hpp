// Parts of FlowSender (sender/engine/flow_sender.hpp). On the packet path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/net/channel/channel.hpp"
#include "common/time/instant.hpp"
#include "sender/engine/engine_flow.hpp"

namespace groma {

/// Decides when to give up a flow. Packets still unsent kOvertime after its duration are not sent: a flow that requests
/// more than the host or the path can carry would otherwise never end. A flow that could send but got no turn since
/// before its end (the host was suspended) gets this time from its next turn.
class Overtime {
public:
    static constexpr Nanos kOvertime{1'000'000'000};

    /// For a flow with a duration.
    void end_at(MonoTime end) noexcept { gives_up_at_ = end + kOvertime; }

    /// Whether to give up the flow instead of a turn.
    [[nodiscard]] bool is_over(MonoTime now) noexcept {
        if (now < gives_up_at_) {
            return false;
        }
        if (blocked_ or last_turn_ >= gives_up_at_ - kOvertime) {
            return true;
        }
        gives_up_at_ = now + kOvertime;
        return false;
    }
    void note_turn(MonoTime now) noexcept { last_turn_ = now; }
    /// Whether the last turn ended with a full socket.
    void note_blocked(bool blocked) noexcept { blocked_ = blocked; }

    /// MonoTime::max() for a flow without a duration.
    [[nodiscard]] MonoTime gives_up_at() const noexcept { return gives_up_at_; }
    [[nodiscard]] MonoTime last_turn() const noexcept { return last_turn_; }

private:
    MonoTime gives_up_at_ = MonoTime::max();
    MonoTime last_turn_{};
    bool blocked_ = false;
};

/// How long before their departures the flow's packets go to the kernel, which holds them until they are due
/// (SO_TXTIME). Zero: packets leave when they are sent.
class DepartureLead {
public:
    explicit DepartureLead(Nanos lead) noexcept : lead_(lead) {}

    [[nodiscard]] bool any() const noexcept { return lead_ > Nanos{0}; }
    [[nodiscard]] Nanos most() const noexcept { return lead_; }

    /// The departure of a packet that is due at `due` and sent at `now`.
    [[nodiscard]] MonoTime leaves_at(MonoTime due, MonoTime now) const noexcept {
        return any() ? std::max(due, now) : now;
    }
    void note_departure(MonoTime leaves) noexcept { last_leaves_ = leaves; }

    /// A flow ends when its last packet has left. Returns: when to check again; empty: it has left, or half a second
    /// has passed.
    [[nodiscard]] std::optional<MonoTime> next_poll(const Channel& channel, MonoTime last_turn) noexcept {
        if (not any() or last_leaves_ == MonoTime{} or polls_ == kMostPolls or
            (polls_ > 0 and not channel.in_queue())) {
            return std::nullopt;
        }
        ++polls_;
        return std::max(last_leaves_, last_turn) + kBetweenLooks;
    }

private:
    static constexpr Nanos kBetweenLooks{5'000'000};
    static constexpr std::uint8_t kMostPolls = 100;

    Nanos lead_;
    MonoTime last_leaves_{};
    std::uint8_t polls_ = 0;
};

/// Counts the packets that the kernel refused for a reason of their own.
class Refusals {
public:
    /// Counts the outcome of a send call. Returns: the number of packets to give up, 0 or 1. A refusal concerns an
    /// earlier packet (ICMP) and clears itself, so the current packet gets a second try.
    [[nodiscard]] std::size_t count(const SendOutcome& outcome, SendCounts& counts) noexcept {
        const bool again = just_refused_ and outcome.sent == 0;
        just_refused_ = outcome.status == SendStatus::refused and not again;
        switch (outcome.status) {
            case SendStatus::dropped:
                ++counts.dropped;
                return 1;
            case SendStatus::too_big:
                ++counts.too_big;
                return 1;
            case SendStatus::refused:
                ++counts.refused;
                counts.given_up += again ? 1U : 0U;
                return again ? 1 : 0;
            default:
                return 0;
        }
    }

private:
    bool just_refused_ = false;  ///< the last call reported a refusal, and no packet was sent since
};

}  // namespace groma
