// What readers of a flow's figures must know about them, in sentences.
#pragma once

#include <string>
#include <vector>

#include "decoder/results/results.hpp"

namespace groma {

/// Everything that is unknown, incomplete or bounded, and why.
[[nodiscard]] std::vector<std::string> notes_on(const FlowResult& flow);

/// Whether both logs have every record, and the interval in which each arrived packet left is known.
[[nodiscard]] bool loss_by_interval_is_known(const FlowResult& flow);

}  // namespace groma
