#include "sender/calibration/point_text.hpp"

#include <fmt/format.h>

#include "common/model/text/human.hpp"

namespace groma {

std::string percent_text(double share) {
    return significant(100 * share, 3) + " %";
}

std::string series_text(const Series& series) {
    return fmt::format("{}, {} B, logs: {}", to_string(series.distribution), series.size_bytes,
                       to_string(series.logging));
}

std::string number_text(double value) {
    return significant(value, 3);
}

std::string spread_text(const std::optional<MedianRange>& value, FigureText to_text) {
    if (not value) {
        return kUnknownFigure;
    }
    std::string text = to_text(value->median);
    std::string low = to_text(value->low);
    std::string high = to_text(value->high);
    return low == high ? text : text + " (" + low + " to " + high + ")";
}

std::string median_text(const std::optional<MedianRange>& value, FigureText to_text) {
    return value ? to_text(value->median) : kUnknownFigure;
}

std::optional<double> figure_ratio(const PointSummary& point, std::string_view part, std::string_view of) {
    const auto above = point.figure(part);
    const auto below = point.figure(of);
    return above and below and below->median > 0 ? std::optional(above->median / below->median) : std::nullopt;
}

std::string share_text(const std::optional<double>& share) {
    return share ? percent_text(*share) : kUnknownFigure;
}

std::string cpu_text(const PointSummary& point) {
    const auto user = point.figure("cpu_user_s");
    const auto system = point.figure("cpu_system_s");
    const auto elapsed = point.figure("elapsed_s");
    return user and system and elapsed and elapsed->median > 0
               ? significant((user->median + system->median) / elapsed->median, 2)
               : kUnknownFigure;
}

std::string verdict_text(const PointSummary& point) {
    const std::string& word = point.worst().verdict;
    return word == "as_asked" ? "as asked" : word == "within" ? "nearly" : "NOT as asked";
}

std::string log_bytes_text(const PointSummary& point) {
    const auto bytes = figure_ratio(point, "log_bytes", "log_records");
    return bytes ? significant(*bytes, 3) : kUnknownFigure;
}

}  // namespace groma
