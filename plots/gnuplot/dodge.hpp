// Moves bars of several curves side by side where they would overlap.
#pragma once

#include "plots/gnuplot/picture.hpp"

namespace groma {

/// Moves the points and bars of each curve with bars by its own small step along the x axis, so that no two bars are at
/// the same place. A step is at most three tenths of the smallest distance between places, as the axis is drawn.
/// Without two bars at the same place, nothing is moved.
[[nodiscard]] Picture dodged(Picture picture);

}  // namespace groma
