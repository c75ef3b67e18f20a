// Pictures of repetitions: box plots, sweeps with confidence bars, heat maps of two keys.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/batch_results.hpp"

namespace groma {

/// Of each figure that some group has: a box for each group, where a group has several runs (quartiles, whiskers to the
/// farthest run within 1.5 times their distance, and a dot for each run); the mean with its confidence interval against
/// each key whose values are numbers, a curve for each combination of the other keys; and where exactly two keys vary,
/// the means as a map of them. Of too many groups or curves the first ones are shown, and the title says so.
[[nodiscard]] std::vector<Picture> batch_pictures(const BatchResults& results);

/// Their kinds ("box", "sweep", "heat"), each with what it shows; that of a picture.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> batch_kinds();
[[nodiscard]] std::string batch_kind_of(const Picture& picture);

}  // namespace groma
