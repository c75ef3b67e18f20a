// Errors of a text on their way to its author.
#pragma once

#include <string>
#include <vector>

#include "common/base/errors.hpp"

namespace groma {

/// Throws: ParseError with the errors in the order of their places, the first hundred and how many there are more.
/// Requires: at least one.
[[noreturn]] void refuse_text(const std::string& file, std::vector<TextError> errors);

}  // namespace groma
