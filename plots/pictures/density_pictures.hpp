// Pictures of the gaps that were sent against those that were asked for, of a calibration.
#pragma once

#include <vector>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/calibration.hpp"

namespace groma {

/// Of each distribution at the rates nearest to 1000 and 10,000 packets a second.
[[nodiscard]] std::vector<Picture> density_pictures(const std::vector<GapDensity>& densities);

}  // namespace groma
