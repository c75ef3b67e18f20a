// System calls that must not fail: returns their value, or throws SystemError with the attempt.
#pragma once

#include <cerrno>
#include <string_view>

#include "common/base/errors.hpp"

namespace groma {

/// Returns: `result` unless it is negative. Throws: SystemError(attempt, errno, advice).
template <typename Integer>
Integer checked(std::string_view attempt, Integer result, std::string_view advice = {}) {
    if (result < 0) {
        throw SystemError(attempt, errno, advice);
    }
    return result;
}

}  // namespace groma
