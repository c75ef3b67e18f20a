// How long a test waits for what must come.
#pragma once

#include <chrono>

#include "common/time/instant.hpp"

namespace groma {

/// Nothing in a test takes so long, however loaded the machine is.
inline constexpr Nanos kPatience = std::chrono::seconds(100);

}  // namespace groma
