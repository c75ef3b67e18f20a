// The common start of the senders of a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>

#include "common/time/clock.hpp"
#include "sender/daemon/daemon_messages.hpp"
#include "sender/run/awaited_start.hpp"

namespace groma {

/// All senders of the run start together, or none does. Thread: any.
class JointStart {
public:
    JointStart(std::size_t senders, Clock& clock) : senders_(senders), clock_(clock) {}

    /// One of the senders can start after `margin`.
    void ready(Nanos margin) {
        const std::lock_guard lock(mutex_);
        margin_ = std::max(margin_, margin);
        if (++ready_ == senders_ and not called_off_) {
            start_.give(clock_.now() + margin_ + kToldOfStart);
        }
    }
    /// One of them has failed, or ended. Does nothing after the start.
    void call_off() {
        const std::lock_guard lock(mutex_);
        called_off_ = not start_.now_known();
        start_.call_off();
    }
    [[nodiscard]] bool called_off() const {
        const std::lock_guard lock(mutex_);
        return called_off_;
    }
    [[nodiscard]] AwaitedStart& start() { return start_; }

private:
    std::size_t senders_;
    Clock& clock_;
    AwaitedStart start_;
    mutable std::mutex mutex_;  ///< guards the rest
    bool called_off_ = false;
    std::size_t ready_ = 0;
    Nanos margin_{0};
};

}  // namespace groma
