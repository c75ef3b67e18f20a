// Small results of every sort, of which every kind of picture can be drawn: always the same.
#pragma once

#include <vector>

#include "plots/batch_results.hpp"
#include "plots/calibration.hpp"
#include "plots/fit_results.hpp"
#include "plots/results.hpp"

namespace groma {

[[nodiscard]] RunResults golden_run(std::size_t flows);
[[nodiscard]] std::vector<FittedTraffic> golden_fit();
[[nodiscard]] BatchResults golden_batch();
[[nodiscard]] CalibrationResults golden_calibration();

}  // namespace groma
