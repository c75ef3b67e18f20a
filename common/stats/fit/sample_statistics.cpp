#include "common/stats/fit/sample_statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <vector>

namespace groma {

namespace {

constexpr double kWhisker = 1.5;

std::vector<double> sorted(std::span<const double> values) {
    std::vector<double> copy(values.begin(), values.end());
    std::ranges::sort(copy);
    return copy;
}

}  // namespace

double mean_of(std::span<const double> values) {
    // Sums differences from the first value: no loss of digits for values far from zero and near one another.
    const double first = values.front();
    const double sum = std::accumulate(values.begin(), values.end(), 0.0,
                                       [first](double all, double value) { return all + (value - first); });
    return first + sum / static_cast<double>(values.size());
}

std::optional<double> deviation_of(std::span<const double> values) {
    if (values.size() < 2) {
        return std::nullopt;
    }
    const double mean = mean_of(values);
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<Interval> student_interval(std::span<const double> values, double confidence, const Interval& range) {
    const auto deviation = deviation_of(values);
    if (not deviation) {
        return std::nullopt;
    }
    const auto count = static_cast<double>(values.size());
    const boost::math::students_t distribution(count - 1);
    const double t = boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
    const double half = t * *deviation / std::sqrt(count);
    const double mean = mean_of(values);
    const auto [least, most] = std::ranges::minmax(values);
    if (least < range.low or most > range.high) {
        return Interval{mean - half, mean + half};
    }
    if (range.low == 0 and least > 0) {
        const double high = std::min(mean * std::exp(half / mean), range.high);
        return std::isfinite(high) ? std::optional(Interval{mean * std::exp(-half / mean), high}) : std::nullopt;
    }
    return Interval{std::max(mean - half, range.low), std::min(mean + half, range.high)};
}

double sorted_quantile(std::span<const double> sorted, double share) {
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - std::floor(place));
}

double median_of(std::span<const double> values) {
    return sorted_quantile(sorted(values), 0.5);
}

std::optional<MedianInterval> median_interval(std::span<const double> values, double confidence) {
    if (values.size() < 2) {
        return std::nullopt;
    }
    const std::vector<double> all = sorted(values);
    const auto count = static_cast<double>(all.size());
    // Of the interval from the value with this rank, from below, to that with the same rank from above.
    const boost::math::binomial_distribution<double> below_median(count, 0.5);
    const auto coverage = [&](std::size_t rank) {
        return 1 - 2 * boost::math::cdf(below_median, static_cast<double>(rank) - 1);
    };
    std::size_t rank = 1;
    if (coverage(rank) < confidence) {
        return MedianInterval{{all.front(), all.back()}, coverage(rank)};
    }
    while (coverage(rank + 1) >= confidence) {
        ++rank;
    }
    const auto d = static_cast<double>(rank);
    const double surplus = (coverage(rank) - confidence) / (coverage(rank) - coverage(rank + 1));
    const double inwards = (count - d) * surplus / (d + (count - 2 * d) * surplus);
    const auto between = [inwards](double outer, double inner) { return outer + inwards * (inner - outer); };
    return MedianInterval{
        {between(all[rank - 1], all[rank]), between(all[all.size() - rank], all[all.size() - rank - 1])}, confidence};
}

MedianRange median_range_of(std::span<const double> values) {
    const std::vector<double> all = sorted(values);
    const std::size_t middle = all.size() / 2;
    const double median = all.size() % 2 == 1 ? all[middle] : std::midpoint(all[middle - 1], all[middle]);
    return {median, all.front(), all.back()};
}

BoxFigures box_of(std::span<const double> values) {
    const std::vector<double> all = sorted(values);
    BoxFigures box;
    box.lower = sorted_quantile(all, 0.25);
    box.median = sorted_quantile(all, 0.5);
    box.upper = sorted_quantile(all, 0.75);
    const double reach = kWhisker * (box.upper - box.lower);
    box.whisker_low = *std::ranges::find_if(all, [&](double value) { return value >= box.lower - reach; });
    box.whisker_high =
        *std::find_if(all.rbegin(), all.rend(), [&](double value) { return value <= box.upper + reach; });
    return box;
}

}  // namespace groma
