// Programs of ours that run one another.
#pragma once

#include <string>

namespace groma {

/// The one that lies beside this program, otherwise its name alone, for PATH.
[[nodiscard]] std::string own_program(const std::string& name);

}  // namespace groma
