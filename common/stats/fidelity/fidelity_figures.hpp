// What the figures of the instrument's own error are called and mean, in every output (docs/reference/metrics.md).
#pragma once

#include "common/figures/figure.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

[[nodiscard]] const FigureTable<Fidelity>& fidelity_figures();

}  // namespace groma
