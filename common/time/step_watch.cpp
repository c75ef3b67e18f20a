#include "common/time/step_watch.hpp"

#include <algorithm>

#include "common/time/difference.hpp"

namespace groma {

namespace {

constexpr int kTries = 8;
constexpr Nanos kLongestReading = StepWatch::kSmallest / 2;

}  // namespace

StepWatch::StepWatch(Clock& clock) : clock_(clock), difference_(difference_now()) {}

std::optional<Nanos> StepWatch::poll() {
    const std::optional<Nanos> now = difference_now();
    if (not now) {
        return std::nullopt;
    }
    const std::optional<Nanos> before = std::exchange(difference_, now);
    const Nanos step = before ? held_to_longest(*now - *before) : Nanos{0};
    return std::max(step, -step) > kSmallest ? std::optional(step) : std::nullopt;
}

std::optional<Nanos> StepWatch::difference_now() {
    for (int i = 0; i < kTries; ++i) {
        const MonoTime before = clock_.now();
        const WallTime wall = clock_.wall_now();
        const MonoTime behind = clock_.now();
        if (behind - before <= kLongestReading) {
            return wall.time_since_epoch() - before.time_since_epoch() - (behind - before) / 2;
        }
    }
    return std::nullopt;
}

}  // namespace groma
