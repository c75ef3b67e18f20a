// Patterns of loss and order of several flows as those of one.
#pragma once

#include <vector>

#include "plots/results/stored_results.hpp"

namespace groma {

/// Histograms, transitions and counts added up; the transitions of those flows of which they are known.
[[nodiscard]] FlowResults patterns_together(const std::vector<const FlowResults*>& flows);

}  // namespace groma
