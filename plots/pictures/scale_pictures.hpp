// How traffic behaves over scales of time: index of dispersion, variance-time plot, logscale diagram.
#pragma once

#include <optional>
#include <span>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/stored_fits.hpp"

namespace groma {

/// A curve for each traffic; nothing where none has it. The line of a Hurst estimate has the slope that its H means,
/// through the middle of the points that it is from: 2H - 2 of a variance-time plot, 2H - 1 of a logscale diagram.
[[nodiscard]] std::optional<Picture> draw_dispersion(std::span<const FittedTraffic> all);
[[nodiscard]] std::optional<Picture> draw_variance_time(std::span<const FittedTraffic> all);
[[nodiscard]] std::optional<Picture> draw_logscale(std::span<const FittedTraffic> all);

}  // namespace groma
