#include "sender/run/awaited_start.hpp"

#include "common/base/errors.hpp"

namespace groma {

void AwaitedStart::give(MonoTime start) {
    const std::lock_guard lock(mutex_);
    start_ = start_.value_or(start);
    changed_.notify_all();
}

void AwaitedStart::call_off() {
    const std::lock_guard lock(mutex_);
    called_off_ = true;
    changed_.notify_all();
}

MonoTime AwaitedStart::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return start_ or called_off_; });
    if (not start_) {
        throw RunError("the run was called off before anything was sent");
    }
    return *start_;
}

std::optional<MonoTime> AwaitedStart::now_known() const {
    const std::lock_guard lock(mutex_);
    return start_;
}

}  // namespace groma
