// Secrets from the kernel (getrandom(2)).
#pragma once

#include "common/access/access_key.hpp"

namespace groma {

/// Throws: SystemError.
[[nodiscard]] Secret random_secret();

}  // namespace groma
