// What --list-profiles prints.
#pragma once

#include <string>

namespace groma {

/// All application profiles with their processes and where their parameters come from.
[[nodiscard]] std::string profile_list();

}  // namespace groma
