// What several repetitions of a measurement say together: mean with a confidence interval, and the five numbers of a
// box plot.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace groma {

struct Interval {
    double low = 0;
    double high = 0;
    bool operator==(const Interval&) const = default;
};

/// All functions: finite values, at least one.

[[nodiscard]] double mean_of(std::span<const double> values);

/// With n - 1; nothing of one value.
[[nodiscard]] std::optional<double> deviation_of(std::span<const double> values);

/// That the true mean is in with a probability of `confidence` (0 to 1, exclusive), where values are independent and
/// about normal [Student 1908]: mean +- t(n - 1) * deviation / sqrt(n). Nothing of one value.
[[nodiscard]] std::optional<Interval> student_interval(std::span<const double> values, double confidence);

/// The value below which `share` of the values are, by linear interpolation between sorted ones: definition 7 of
/// [Hyndman and Fan 1996], as numpy and R use it. Requires: sorted values.
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double share);

[[nodiscard]] double median_of(std::span<const double> values);

/// The median, of an even number of values the mean of the middle two, and the least and the largest value.
struct MedianRange {
    double median = 0;
    double low = 0;
    double high = 0;
};
[[nodiscard]] MedianRange median_range_of(std::span<const double> values);

/// Quartiles, and the farthest values that are within 1.5 times their distance of them [Tukey 1977].
struct BoxFigures {
    double whisker_low = 0;
    double lower = 0;
    double median = 0;
    double upper = 0;
    double whisker_high = 0;
};
[[nodiscard]] BoxFigures box_of(std::span<const double> values);

}  // namespace groma
