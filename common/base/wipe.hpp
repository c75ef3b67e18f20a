// Overwrites secrets before their memory is given back.
#pragma once

#include <string.h>  // explicit_bzero() is none of <cstring>'s

#include <cstddef>
#include <span>

namespace groma {

/// No compiler leaves it out, though nobody reads the bytes again (explicit_bzero(3)).
inline void wipe(std::span<std::byte> bytes) noexcept {
    ::explicit_bzero(bytes.data(), bytes.size());
}

}  // namespace groma
