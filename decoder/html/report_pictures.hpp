// The pictures of a report: groma-plot draws them of the results.
#pragma once

#include <string>
#include <vector>

#include "decoder/html/html_report.hpp"

namespace groma {

struct DrawnPictures {
    std::vector<ReportPicture> pictures;
    std::string error;  ///< why there are none, or not all; empty: nothing is wrong
};

/// Runs the groma-plot that lies beside this program, or that of PATH, in a folder of its own below the one for
/// temporary files. Never throws for what is wrong with it: a report without pictures is still a report.
[[nodiscard]] DrawnPictures draw_pictures(const Results& results);

}  // namespace groma
