// How far the gaps that were sent are from the distribution that was asked for (docs/metrics.md).
#pragma once

#include <cstdint>

namespace groma {

struct DistributionFit {
    std::uint64_t gaps = 0;    ///< n: gaps that were compared
    std::uint32_t bins = 0;    ///< N: bins of equal probability under the model
    double lambda2 = 0;        ///< [Pederson and Johnson 1990; Paxson 1994]; can be slightly below 0
    double lambda2_error = 0;  ///< its standard error
    double ks = 0;             ///< Kolmogorov-Smirnov distance, 0 to 1
    double ks_within = 0;      ///< `ks` is known to within this: the resolution of the cells that are counted
    double a2 = 0;             ///< Anderson-Darling
};

}  // namespace groma
