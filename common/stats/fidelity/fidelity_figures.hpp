// Names and meanings of the figures of the sender's own error, for every output (docs/reference/metrics.md).
#pragma once

#include "common/figures/figure.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

[[nodiscard]] const FigureTable<Fidelity>& fidelity_figures();

}  // namespace groma
