// A histogram in the V2 encoding of HdrHistogram, compressed and as text: what a line of its interval logs holds
// (https://github.com/HdrHistogram/HdrHistogram). LogHistogram has the bins of one with two significant digits, so only
// values below 0 are lost, which HdrHistogram cannot have.
#pragma once

#include <string>

#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

/// Negative values count as 0. Throws: RunError when there is no memory to compress it.
[[nodiscard]] std::string hdr_histogram_text(const LogHistogram& histogram);

}  // namespace groma
