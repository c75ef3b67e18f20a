// The sections of the text report about loss patterns, order, copies and delay variation.
#pragma once

#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// Losses, reordering and copies appear only if there are any.
[[nodiscard]] std::string patterns_text(const RunResult& run);

}  // namespace groma
