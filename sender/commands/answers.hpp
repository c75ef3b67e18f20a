// What groma-send prints without doing anything: --help, --version and its lists.
#pragma once

#include <optional>
#include <string>

#include "sender/options/sender_options.hpp"

namespace groma {

/// Returns: nothing for an action that is more than an answer.
[[nodiscard]] std::optional<std::string> answer(SenderOptions::Action action);

}  // namespace groma
