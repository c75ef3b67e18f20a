// Pictures of fitted traffic: its distributions against the family that fits best, correlation, and how it behaves over
// scales of time (Molnar, Megyesi, Szabo 2013, "How to validate traffic generators?").
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/stored_fits.hpp"

namespace groma {

struct FitKind {
    std::string stem;   ///< "gap-qq"
    std::string shows;  ///< for --list
    bool of_one;        ///< a picture for each traffic; false: a curve for each in one picture
    std::function<std::optional<Picture>(std::span<const FittedTraffic>)> draw;
};

[[nodiscard]] const std::vector<FitKind>& fit_kinds();

/// The most curves in one picture, and the most flows with pictures of their own. Flows with fewer packets are omitted,
/// and the title says so.
inline constexpr std::size_t kMostFitCurves = 8;
inline constexpr std::size_t kMostFitPictures = 5;

}  // namespace groma
