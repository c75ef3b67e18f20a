// Bars of several curves beside one another, where they would stand on one another.
#pragma once

#include "plots/gnuplot/picture.hpp"

namespace groma {

/// The picture with the points and bars of its curves with bars moved a little along the x axis, each curve's by
/// another step, so that no two bars are at the same place: by at most three tenths of the smallest distance between
/// places, evenly as the axis is drawn. Nothing is moved where no two curves have a bar at the same place.
[[nodiscard]] Picture dodged(Picture picture);

}  // namespace groma
