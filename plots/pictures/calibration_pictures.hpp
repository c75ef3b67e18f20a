// Pictures of a calibration, after "Do you trust your software-based traffic generator?" (Botta, Dainotti, Pescape,
// IEEE Communications Magazine, 2010): sent against asked rates (its figure 2), densities of the gaps (figure 3),
// lambda squared (figure 4), and besides rate error, lateness, gap error, loss.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/calibration.hpp"

namespace groma {

/// The pictures for which the results have data. Against rates: a curve for each size (the first series' distribution
/// and logging), each way of logging, or each distribution; a point is the median of its repetitions, a bar their
/// range. Densities: of each distribution at the rates nearest to 1000 and 10,000 packets a second.
[[nodiscard]] std::vector<Picture> calibration_pictures(const CalibrationResults& results);

/// Their kinds, each with what it shows; that of a picture.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> calibration_kinds();
[[nodiscard]] std::string calibration_kind_of(const Picture& picture);

}  // namespace groma
