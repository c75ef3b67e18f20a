// Virtual time that several threads may ask for: it goes on a little at each look, so that what waits for it without a
// sleep ends as well.
#pragma once

#include <atomic>
#include <cstdint>

#include "common/time/clock.hpp"

namespace groma {

class TickingClock final : public Clock {
public:
    [[nodiscard]] MonoTime now() noexcept override { return MonoTime(Nanos(ns_.fetch_add(kTick) + kTick)); }
    [[nodiscard]] WallTime wall_now() noexcept override {
        return wall_time_from_ns(kWall + now().time_since_epoch().count());
    }
    void sleep_until(MonoTime deadline) noexcept override {
        const std::int64_t wanted = deadline.time_since_epoch().count();
        std::int64_t here = ns_.load();
        while (here < wanted and not ns_.compare_exchange_weak(here, wanted)) {
        }
    }
    void advance(Nanos span) noexcept { ns_ += span.count(); }

private:
    static constexpr std::int64_t kTick = 1'000;
    static constexpr std::int64_t kWall = 1'700'000'000'000'000'000;

    std::atomic<std::int64_t> ns_{1'000'000'000};
};

}  // namespace groma
