// Summarises repetitions of a measurement: mean with a confidence interval, and the five numbers of a box plot.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace groma {

struct Interval {
    double low = 0;
    double high = 0;
    bool operator==(const Interval&) const = default;
};

inline constexpr Interval kAnyNumber{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
inline constexpr Interval kNotNegative{0, std::numeric_limits<double>::infinity()};
inline constexpr Interval kShare{0, 1};

/// All functions: finite values, at least one.

[[nodiscard]] double mean_of(std::span<const double> values);

/// With n - 1; empty for one value.
[[nodiscard]] std::optional<double> deviation_of(std::span<const double> values);

/// Contains the true mean with a probability of `confidence` (between 0 and 1), if values are independent and about
/// normal [Student 1908]: mean +- t(n - 1) * deviation / sqrt(n). Empty for one value.
/// `range`: of the quantity; the interval does not leave it. Where all values are above a range's low end of 0, it is
/// that of the logarithm of the mean, by the delta method [Cox and Hinkley 1974, 9.2]: the same, relative to the mean,
/// as a factor; empty if that is beyond all numbers. A value outside of the range shows that it is not that of the
/// values: then it does not count.
[[nodiscard]] std::optional<Interval> student_interval(std::span<const double> values, double confidence,
                                                       const Interval& range = kAnyNumber);

/// The value with `share` of the values below it, by linear interpolation between sorted ones: definition 7 of [Hyndman
/// and Fan 1996], as in numpy and R. Requires: sorted values.
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double share);

[[nodiscard]] double median_of(std::span<const double> values);

struct MedianInterval {
    Interval interval;
    double coverage = 0;  ///< the probability with which it contains the true median
    bool operator==(const MedianInterval&) const = default;
};

/// For independent values of any continuous distribution: between two values in their order, interpolated so that the
/// coverage is `confidence` (between 0 and 1) [Hettmansperger and Sheather 1986]. If even the smallest and the largest
/// value cover less, as below 6 values for 95 %, it is these, with their coverage of 1 - 2^(1 - n). Empty for one
/// value.
[[nodiscard]] std::optional<MedianInterval> median_interval(std::span<const double> values, double confidence);

/// The median (for an even number, the mean of the middle two), and the smallest and the largest value.
struct MedianRange {
    double median = 0;
    double low = 0;
    double high = 0;
};
[[nodiscard]] MedianRange median_range_of(std::span<const double> values);

/// Quartiles, and the farthest values within 1.5 times the interquartile range of them [Tukey 1977].
struct BoxFigures {
    double whisker_low = 0;
    double lower = 0;
    double median = 0;
    double upper = 0;
    double whisker_high = 0;
};
[[nodiscard]] BoxFigures box_of(std::span<const double> values);

}  // namespace groma
