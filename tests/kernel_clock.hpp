// The kernel's clock, for tests that need real time: sockets, threads, complete programs.
#pragma once

#include "common/os/system_clock.hpp"

namespace groma {

inline Clock& kernel_clock() {
    static SystemClock clock;
    return clock;
}

}  // namespace groma
