// Estimates of the Hurst parameter of a series from its dyadic scales: 0.5 of independent values, towards 1 the longer
// they depend on one another [Molnar, Megyesi and Szabo 2013]. Both take a stationary series whose spectrum, or whose
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
    double error = 0;       ///< standard error
    std::size_t first = 0;  ///< the stages that it is from, as they were handed over
    std::size_t last = 0;
    double chance = 0;  ///< that figures on a straight line are as far from it
};

/// An octave of the logscale diagram.
struct LogEnergy {
    double log2_energy = 0;  ///< of the details, less the bias of the logarithm
    double error = 0;        ///< standard error
};

/// log2 of the mean energy - g(n), g(n) = digamma(n/2)/ln 2 - log2(n/2); variance trigamma(n/2)/ln^2 2 [Abry and Veitch
/// 1998; Veitch and Abry 1999], or what the fourth moment of the details says, if that is more: counts of few packets
/// are not normal. Nothing below 4 details, and when there is no energy.
[[nodiscard]] std::optional<LogEnergy> log_energy(const DaubechiesDetails& octave);

/// H = (slope + 1) / 2 of the logscale diagram, by weighted regression from the onset of scaling on
/// (common/stats/fit/scaling_line.hpp). The first two octaves of a series that is given by its values, and not by what
/// a scaling function makes of it, are biased [Veitch and Abry 1999]: they are the caller's to leave out. Returns:
/// nothing below three octaves.
[[nodiscard]] std::optional<HurstEstimate> wavelet_hurst(std::span<const DaubechiesDetails> octaves);

/// H = 1 + slope / 2 of the logarithm of the variance of block means over the blocks' length [Leland et al. 1994; Beran
/// 1994], weighted by the number of blocks, from the onset on. Of k blocks whose mean is taken from themselves the
/// variance is 1 - k^(2H - 2) times what it should be; that is put right, step by step. The error is a lower bound:
/// scales of one series are not independent. Blocks below 8 are left out. Returns: nothing below three scales.
[[nodiscard]] std::optional<HurstEstimate> variance_time_hurst(std::span<const BlockSums> scales);

}  // namespace groma
