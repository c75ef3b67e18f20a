// What a command line of groma-send becomes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

inline constexpr std::uint64_t kFreshSeed = 4711;

[[nodiscard]] inline SenderOptions options_from(const std::vector<std::string>& arguments) {
    return SenderOptions::parse(arguments, kFreshSeed);
}

/// The message for the user; empty without an error.
[[nodiscard]] inline std::string usage_complaint(const std::vector<std::string>& arguments) {
    try {
        (void)options_from(arguments);
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

}  // namespace groma
