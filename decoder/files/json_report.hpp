// The results as one JSON object (docs/reference/decoder-output.md), for programs.
#pragma once

#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// What is unknown is null. Text that is not UTF-8 has U+FFFD in place of what is not. Ends with a line end.
[[nodiscard]] std::string json_report(const Results& results);

}  // namespace groma
