// Finds Groma's other programs, to run them.
#pragma once

#include <string>

namespace groma {

/// The path of the program beside this one; otherwise its name alone, for PATH.
[[nodiscard]] std::string own_program(const std::string& name);

}  // namespace groma
