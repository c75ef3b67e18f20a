// Decides how a worker waits for a deadline: sleep until shortly before it, then spin.
#pragma once

#include <cstdint>

#include "common/time/instant.hpp"
#include "sender/engine/wakeup_guard.hpp"

namespace groma {

/// Reads no clock and does not sleep: the caller passes the time and follows the advice. Packet path. Thread: one.
class Pacer {
public:
    /// The longest sleep, so that a worker notices a stop request within this time.
    static constexpr Nanos kLongestSleep{50'000'000};
    /// Shorter waits spin: a sleep costs two system calls.
    static constexpr Nanos kShortestSleep{5'000};

    enum class Action : std::uint8_t {
        send,   ///< the deadline is now or has passed
        spin,   ///< too near for a sleep: look again at once
        sleep,  ///< until `until`, then ask again
    };
    struct Advice {
        Action action = Action::send;
        MonoTime until{};
    };

    [[nodiscard]] Advice advise(MonoTime now, MonoTime deadline) const noexcept;

    /// Reports that a sleep until `until` ended at `now`.
    void woke(MonoTime until, MonoTime now) noexcept { guard_.add(now - until); }

    [[nodiscard]] Nanos guard() const noexcept { return guard_.value(); }

private:
    WakeupGuard guard_;
};

}  // namespace groma
