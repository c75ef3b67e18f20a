#include "sender/run/awaited_start.hpp"

#include <chrono>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr const char* kCalledOff = "the run was called off before anything was sent";

}  // namespace

bool AwaitedStart::give(MonoTime start) {
    const std::lock_guard lock(mutex_);
    if (not called_off_) {
        start_ = start_.value_or(start);
    }
    changed_.notify_all();
    return start_.has_value();
}

void AwaitedStart::call_off() {
    const std::lock_guard lock(mutex_);
    called_off_ = not start_;
    changed_.notify_all();
}

MonoTime AwaitedStart::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return start_ or called_off_; });
    if (not start_) {
        throw RunError(kCalledOff);
    }
    return *start_;
}

MonoTime AwaitedStart::wait(Clock& clock, Nanos patience, const std::function<bool()>& gave_up) {
    const MonoTime end = clock.now() + patience;
    std::unique_lock lock(mutex_);
    while (not start_ and not called_off_ and not gave_up() and clock.now() < end) {
        changed_.wait_for(lock, kBetweenLooks);
    }
    if (start_) {
        return *start_;
    }
    throw RunError(called_off_ or clock.now() < end ? kCalledOff
                                                    : "nobody said when the run starts: it was called off");
}

std::optional<MonoTime> AwaitedStart::now_known() const {
    const std::lock_guard lock(mutex_);
    return start_;
}

}  // namespace groma
