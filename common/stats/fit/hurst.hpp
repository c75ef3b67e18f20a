// Estimates the Hurst parameter of a series from its dyadic scales: 0.5 for independent values, towards 1 for long
// dependence [Molnar, Megyesi and Szabo 2013]. Both estimators assume a stationary series whose spectrum, or whose
// variance of means, is a power law from some scale on; docs/guide/fit.md says what that means for traffic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/stats/fit/dyadic_cascade.hpp"

namespace groma {

struct HurstEstimate {
    double value = 0;
    double error = 0;       ///< of the regression alone: a lower bound (docs/guide/fit.md)
    std::size_t first = 0;  ///< the first stage in use, by its index in the argument
    std::size_t last = 0;
    double chance = 0;  ///< probability of such a distance from a straight line by chance
};

/// An octave of the logscale diagram.
struct LogEnergy {
    double log2_energy = 0;  ///< of the details, minus the bias of the logarithm
    double error = 0;        ///< standard error
};

/// log2 of the mean energy - g(n), g(n) = digamma(n/2)/ln 2 - log2(n/2). Variance: trigamma(n/2)/ln^2 2 [Abry and
/// Veitch 1998; Veitch and Abry 1999], or that from the fourth moment of the details, if larger: counts of few packets
/// are not normal. Empty below 4 details, and without energy.
[[nodiscard]] std::optional<LogEnergy> log_energy(const DaubechiesDetails& octave);

/// H = (slope + 1) / 2 of the logscale diagram, by weighted regression from the onset of scaling
/// (common/stats/fit/scaling_line.hpp). The first two octaves are biased if the series consists of plain values and not
/// of a scaling function's output [Veitch and Abry 1999]: the caller must leave them out. Returns: empty below three
/// octaves.
[[nodiscard]] std::optional<HurstEstimate> wavelet_hurst(std::span<const DaubechiesDetails> octaves);

/// H = 1 + slope / 2 of the logarithm of the variance of block means over the blocks' length [Leland et al. 1994; Beran
/// 1994], weighted by the number of blocks, from the onset on. With the mean taken from k blocks, the variance is 1 -
/// k^(2H - 2) times its true value; this is corrected iteratively. Omits scales with fewer than 8 blocks. Returns:
/// empty below three scales.
[[nodiscard]] std::optional<HurstEstimate> variance_time_hurst(std::span<const BlockSums> scales);

}  // namespace groma
