// The results as one JSON object (docs/reference/decoder-output.md), for programs.
#pragma once

#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// Unknown values are null. U+FFFD replaces invalid UTF-8. Ends with a line end.
[[nodiscard]] std::string json_report(const Results& results);

}  // namespace groma
