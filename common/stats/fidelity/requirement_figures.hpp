// Figures of a requirement and its result.
#pragma once

#include "common/figures/figure.hpp"
#include "common/stats/fidelity/requirement_check.hpp"

namespace groma {

[[nodiscard]] const FigureTable<CheckedRequirement>& requirement_figures();

}  // namespace groma
