// The common start of the senders of a run.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>

#include "common/time/clock.hpp"
#include "sender/run/awaited_start.hpp"

namespace groma {

/// On top of what every sender needs itself: until the others know of the start.
inline constexpr Nanos kToldOfStart = std::chrono::milliseconds(500);

/// All senders of the run start together, or none does. Thread: any.
class JointStart {
public:
    JointStart(std::size_t senders, Clock& clock) : senders_(senders), clock_(clock) {}

    /// One of the senders can start after `margin`.
    void ready(Nanos margin) {
        const std::lock_guard lock(mutex_);
        margin_ = std::max(margin_, margin);
        if (++ready_ == senders_) {
            start_.give(clock_.now() + margin_ + kToldOfStart);
        }
    }
    /// One of them has failed.
    void call_off() {
        called_off_ = true;
        start_.call_off();
    }
    [[nodiscard]] bool called_off() const { return called_off_ and not start_.now_known(); }
    [[nodiscard]] AwaitedStart& start() { return start_; }

private:
    std::size_t senders_;
    Clock& clock_;
    AwaitedStart start_;
    std::atomic<bool> called_off_{false};
    std::mutex mutex_;
    std::size_t ready_ = 0;
    Nanos margin_{0};
};

}  // namespace groma
