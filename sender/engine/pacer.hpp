// Decides how to pass the time until a deadline: sleep until shortly before it, spin the rest.
#pragma once

#include <cstdint>

#include "common/time/instant.hpp"
#include "sender/engine/wakeup_guard.hpp"

namespace groma {

/// Reads no clock and does not sleep: it is told the time and gives advice. Packet path. Thread: one.
class Pacer {
public:
    /// No sleep is longer, so that a worker notices within this time that it is to stop.
    static constexpr Nanos kLongestSleep{50'000'000};
    /// What is shorter is spun: the two system calls' worth of a sleep would not pay.
    static constexpr Nanos kShortestSleep{5'000};

    enum class Action : std::uint8_t {
        send,   ///< the deadline is now or was before
        spin,   ///< too near for a sleep: look again at once
        sleep,  ///< until `until`, then ask again
    };
    struct Advice {
        Action action = Action::send;
        MonoTime until{};
    };

    [[nodiscard]] Advice advise(MonoTime now, MonoTime deadline) const noexcept;

    /// A sleep that was to end at `until` ended at `now`.
    void woke(MonoTime until, MonoTime now) noexcept { guard_.add(now - until); }

    [[nodiscard]] Nanos guard() const noexcept { return guard_.value(); }

private:
    WakeupGuard guard_;
};

}  // namespace groma
