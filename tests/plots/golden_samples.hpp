// Small fixed results of every sort, for every kind of picture.
#pragma once

#include <vector>

#include "plots/results/batch_results.hpp"
#include "plots/results/calibration.hpp"
#include "plots/results/stored_fits.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

[[nodiscard]] RunResults golden_run(std::size_t flows);
[[nodiscard]] std::vector<FittedTraffic> golden_fit();
[[nodiscard]] BatchResults golden_batch();
[[nodiscard]] CalibrationResults golden_calibration();

}  // namespace groma
