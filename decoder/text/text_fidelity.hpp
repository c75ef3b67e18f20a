// The part of the text report about the instrument's own error, and about what was required of it.
#pragma once

#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// Nothing without a sender's log.
[[nodiscard]] std::string fidelity_text(const RunResult& run);

/// Nothing when nothing was required.
[[nodiscard]] std::string requirements_text(const RunResult& run);

}  // namespace groma
