// How much values depend on earlier ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace groma {

/// Collects the autocorrelation of a series of any length, exactly, in memory for the lags:
///     r(k) = sum over t > k of (x(t) - m) (x(t - k) - m) / sum of (x(t) - m)^2, m being the mean of all
/// [Box and Jenkins 1970, 2.1.6; biased, so that |r| <= 1].
class Autocorrelation {
public:
    explicit Autocorrelation(std::size_t lags);

    void add(double value);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    /// r(1), r(2), ...: as many lags as requested and as the values allow. Empty if all values are equal.
    [[nodiscard]] std::vector<double> values() const;
    /// 95 % of the r(k) of independent values lie within plus or minus this: 1.96 / sqrt(n) [Bartlett 1946].
    [[nodiscard]] double band() const;

    [[nodiscard]] double mean() const;
    /// n - 1; 0 below two values.
    [[nodiscard]] double deviation() const;

private:
    // Sums of differences from the first value: no cancellation where values are nearly equal.
    double first_ = 0;
    std::uint64_t count_ = 0;
    double sum_ = 0;
    std::vector<double> start_;     ///< the first values, as many as lags
    std::vector<double> recent_;    ///< the last values, in a ring: value t is at t modulo lags
    std::vector<double> products_;  ///< sum of x(t) x(t - k), by k from 0
};

}  // namespace groma
