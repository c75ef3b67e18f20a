// What whoever reads a flow's figures must know about them, in sentences.
#pragma once

#include <string>
#include <vector>

#include "decoder/results/results.hpp"

namespace groma {

/// Everything that is unknown, incomplete or bounded, and why.
[[nodiscard]] std::vector<std::string> notes_on(const FlowResult& flow);

/// Both logs have every record, and every packet that arrived can be put into the interval in which it left.
[[nodiscard]] bool loss_by_interval_is_known(const FlowResult& flow);

}  // namespace groma
