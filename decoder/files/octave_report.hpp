// The results as a script that GNU Octave and MATLAB run: it makes a variable `groma`, a structure with the members of
// the JSON report (docs/reference/decoder-output.md).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "decoder/files/json_parts.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Calls `write` with each statement. Unknown values are NaN, a list of rows of numbers is a structure of columns,
/// whole numbers beyond 2^53 (which neither program's numbers hold) are texts.
void write_octave_report(const Results& results, const std::function<void(std::string_view)>& write);

/// The statements that give `value` to the variable, field or element `path`.
[[nodiscard]] std::string octave_assignment(const std::string& path, const Json& value);

/// `text`, which is untrusted, as a literal: control characters become spaces, invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string octave_text(const std::string& text);

}  // namespace groma
