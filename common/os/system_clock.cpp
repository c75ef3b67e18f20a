#include "common/os/system_clock.hpp"

#include <ctime>

namespace groma {

namespace {

Nanos read(clockid_t clock) noexcept {
    timespec time{};
    ::clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + Nanos(time.tv_nsec);
}

}  // namespace

MonoTime SystemClock::now() noexcept {
    return MonoTime{read(CLOCK_MONOTONIC)};
}

WallTime SystemClock::wall_now() noexcept {
    return WallTime{read(CLOCK_REALTIME)};
}

void SystemClock::sleep_until(MonoTime deadline) noexcept {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(deadline.time_since_epoch());
    const timespec time{.tv_sec = seconds.count(), .tv_nsec = (deadline.time_since_epoch() - seconds).count()};
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

}  // namespace groma
