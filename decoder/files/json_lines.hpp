// The results as JSON lines (docs/reference/decoder-output.md): one object a line, each with a `type`, for programs
// that read line by line.
#pragma once

#include <functional>
#include <string_view>

#include "decoder/results/results.hpp"

namespace groma {

/// Calls `write` with each line and its line end. The members are those of the JSON report.
void write_json_lines(const Results& results, const std::function<void(std::string_view)>& write);

}  // namespace groma
