// The sections of the text report about loss patterns, order, copies and delay variation.
#pragma once

#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// Of losses, disorder and copies only where there are any.
[[nodiscard]] std::string patterns_text(const RunResult& run);

}  // namespace groma
