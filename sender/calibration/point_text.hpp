// The figures of a point of a calibration as text in its data sheet. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sender/calibration/summary.hpp"

namespace groma {

/// A figure that no repetition has.
inline constexpr const char* kUnknownFigure = "-";

/// A figure as text, with its unit.
using FigureText = std::string (*)(double);

[[nodiscard]] std::string percent_text(double share);
[[nodiscard]] std::string number_text(double value);

/// "const, 64 B, logs: local".
[[nodiscard]] std::string series_text(const Series& series);

/// "1.2 us", or "1.2 us (1 us to 2 us)" if repetitions differ.
[[nodiscard]] std::string spread_text(const std::optional<MedianRange>& value, FigureText to_text);
[[nodiscard]] std::string median_text(const std::optional<MedianRange>& value, FigureText to_text);

/// The ratio of two figures' medians.
[[nodiscard]] std::optional<double> figure_ratio(const PointSummary& point, std::string_view part, std::string_view of);
[[nodiscard]] std::string share_text(const std::optional<double>& share);

/// Seconds of CPU for each second of the flow.
[[nodiscard]] std::string cpu_text(const PointSummary& point);
/// "as asked", "nearly" or "NOT as asked": of the worst repetition.
[[nodiscard]] std::string verdict_text(const PointSummary& point);
/// Bytes of the log for each record.
[[nodiscard]] std::string log_bytes_text(const PointSummary& point);

}  // namespace groma
