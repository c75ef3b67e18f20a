// The results as one JSON object (docs/reference/decoder-output.md), for programs.
#pragma once

#include <functional>
#include <string_view>

#include "decoder/results/results.hpp"

namespace groma {

/// Calls `write` with one piece after the other: memory is for one flow, without its series. Unknown values are null.
/// U+FFFD replaces invalid UTF-8. Ends with a line end.
void write_json_report(const Results& results, const std::function<void(std::string_view)>& write);

}  // namespace groma
