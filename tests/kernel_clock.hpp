// The kernel's clock, for tests of what happens in real time anyway: sockets, threads, whole programs.
#pragma once

#include "common/os/system_clock.hpp"

namespace groma {

inline Clock& kernel_clock() {
    static SystemClock clock;
    return clock;
}

}  // namespace groma
