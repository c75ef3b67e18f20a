// Requirements of the fuzz targets for every message that a user reads.
#pragma once

#include <cstddef>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

/// One line that is not empty, is plain text, and fits a screen even if it quotes a path in hexadecimal.
inline void expect_message(std::string_view message) {
    constexpr std::size_t kLongest = 10'000;
    check(not message.empty() and message.size() <= kLongest, "a message has a length to be read");
    check(shows_as_it_is(message), "a message is shown as it stands");
}

}  // namespace groma
