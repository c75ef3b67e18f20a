// How long a test waits for an event that must come.
#pragma once

#include <chrono>

#include "common/time/instant.hpp"

namespace groma {

/// No step of a test takes this long, even on a loaded machine.
inline constexpr Nanos kPatience = std::chrono::seconds(100);

}  // namespace groma
