// Pictures of distributions: one-way delay, round-trip time, lateness, and inter-departure times as asked against as
// sent.
#pragma once

#include <optional>
#include <vector>

#include "plots/picture.hpp"
#include "plots/results.hpp"

namespace groma {

/// A distribution that can be drawn.
struct DistributionMeasure {
    const char* stem;
    const char* what;
    const char* kind;    ///< of the histograms
    bool against_asked;  ///< with the distribution that was asked for beside it
    const char* needs;   ///< whose logs the figure is from, for whoever misses it; null: only some runs have it
};

[[nodiscard]] const std::vector<DistributionMeasure>& distribution_measures();

/// Returns: nothing when no flow has such a histogram. With many flows, all their packets are one distribution. The
/// axis of values is logarithmic when they span more than a factor of 50.
[[nodiscard]] std::optional<Picture> draw_distribution(const RunResults& run, const DistributionMeasure& measure);

}  // namespace groma
