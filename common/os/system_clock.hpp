// The kernel's clocks: CLOCK_MONOTONIC for deadlines, CLOCK_REALTIME for records.
#pragma once

#include "common/time/clock.hpp"

namespace groma {

class SystemClock final : public Clock {
public:
    [[nodiscard]] MonoTime now() noexcept override;
    [[nodiscard]] WallTime wall_now() noexcept override;
    void sleep_until(MonoTime deadline) noexcept override;
};

}  // namespace groma
