// Reports errors of a text to its author.
#pragma once

#include <string>
#include <vector>

#include "common/base/errors.hpp"

namespace groma {

/// Throws: ParseError with the first hundred errors in the order of their places, and the number of further ones.
/// Requires: at least one.
[[noreturn]] void refuse_text(const std::string& file, std::vector<TextError> errors);

}  // namespace groma
