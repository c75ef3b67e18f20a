#include "common/stats/fit/bootstrap.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <vector>

#include "common/model/distributions/stream.hpp"

namespace groma {

namespace {

constexpr double kRounding = 1e-12;

/// The statistic of each resample, ascending.
std::vector<double> resampled(std::span<const double> values, const Statistic& statistic,
                              const BootstrapOptions& options) {
    Engine engine = make_engine(options.seed);
    const boost::random::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
    std::vector<double> sample(values.size());
    std::vector<double> statistics;
    statistics.reserve(options.resamples);
    for (std::uint32_t i = 0; i < options.resamples; ++i) {
        std::ranges::generate(sample, [&] { return values[any(engine)]; });
        statistics.push_back(statistic(sample));
    }
    std::ranges::sort(statistics);
    return statistics;
}

/// A sixth of the skewness of the statistic with one value left out.
double acceleration(std::span<const double> values, const Statistic& statistic) {
    std::vector<double> without;
    std::vector<double> left_out;
    for (std::size_t i = 0; i < values.size(); ++i) {
        without.assign(values.begin(), values.end());
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
        left_out.push_back(statistic(without));
    }
    const double mean = mean_of(left_out);
    double squares = 0;
    double cubes = 0;
    for (const double one : left_out) {
        squares += (mean - one) * (mean - one);
        cubes += (mean - one) * (mean - one) * (mean - one);
    }
    // All equal, as medians often are: there is no skewness.
    const double rounding = kRounding * mean;
    const bool differ = squares > static_cast<double>(values.size()) * rounding * rounding;
    return differ ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

/// The quantiles of the resampled statistic at the interval's ends.
std::optional<Interval> corrected_shares(std::span<const double> values, const Statistic& statistic,
                                         const std::vector<double>& resamples, double tail) {
    const double found = statistic(values);
    // (1.2 + 1.4) / 2 and 1.3 are the same median, despite their last bits.
    const double rounding = kRounding * std::abs(found);
    const auto below = static_cast<double>(std::ranges::lower_bound(resamples, found - rounding) - resamples.begin());
    const auto up_to = static_cast<double>(std::ranges::upper_bound(resamples, found + rounding) - resamples.begin());
    // Half of the resamples that equal the statistic, as for medians, count as below.
    const double share = (below + up_to) / (2 * static_cast<double>(resamples.size()));
    if (share <= 0 or share >= 1) {
        return std::nullopt;
    }
    const boost::math::normal normal;
    const double bias = quantile(normal, share);
    const double skew = acceleration(values, statistic);
    const auto corrected = [&](double z) { return cdf(normal, bias + (bias + z) / (1 - skew * (bias + z))); };
    return Interval{corrected(quantile(normal, tail)), corrected(quantile(normal, 1 - tail))};
}

}  // namespace

std::optional<Interval> bootstrap_interval(std::span<const double> values, const Statistic& statistic,
                                           const BootstrapOptions& options) {
    if (values.size() < 2) {
        return std::nullopt;
    }
    const double tail = (1 - options.confidence) / 2;
    const std::vector<double> resamples = resampled(values, statistic, options);
    Interval shares{tail, 1 - tail};
    if (options.method == BootstrapMethod::bca) {
        const auto corrected = corrected_shares(values, statistic, resamples, tail);
        if (not corrected) {
            return std::nullopt;
        }
        shares = *corrected;
    }
    return Interval{sorted_quantile(resamples, shares.low), sorted_quantile(resamples, shares.high)};
}

}  // namespace groma
