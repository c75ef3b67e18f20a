#include "common/stats/fit/autocorrelation.hpp"

#include <algorithm>
#include <cmath>

#include "common/stats/histograms/confidence.hpp"

namespace groma {

Autocorrelation::Autocorrelation(std::size_t lags) : recent_(lags), products_(lags + 1) {
    start_.reserve(lags);
}

void Autocorrelation::add(double value) {
    first_ = count_ == 0 ? value : first_;
    const double x = value - first_;
    const std::size_t lags = recent_.size();
    const std::size_t place = static_cast<std::size_t>(count_ % std::max<std::size_t>(lags, 1));
    const std::size_t known = static_cast<std::size_t>(std::min<std::uint64_t>(count_, lags));
    products_[0] += x * x;
    // Goes back through the ring: after `place` come the older values.
    const std::size_t newer = std::min(known, place);
    for (std::size_t k = 1; k <= newer; ++k) {
        products_[k] += x * recent_[place - k];
    }
    for (std::size_t k = newer + 1; k <= known; ++k) {
        products_[k] += x * recent_[place + lags - k];
    }
    if (lags > 0) {
        recent_[place] = x;
        if (start_.size() < lags) {
            start_.push_back(x);
        }
    }
    sum_ += x;
    ++count_;
}

std::vector<double> Autocorrelation::values() const {
    const double n = static_cast<double>(count_);
    const double mean = count_ == 0 ? 0 : sum_ / n;
    const double squares = products_[0] - n * mean * mean;
    // Rounding errors of equal values are not variance.
    if (count_ < 2 or not(squares > 1e-13 * products_[0])) {
        return {};
    }
    const std::size_t lags = recent_.size();
    const std::size_t known = static_cast<std::size_t>(std::min<std::uint64_t>(count_ - 1, lags));
    std::vector<double> all;
    all.reserve(known);
    double head = 0;  // the sum of the first k values
    double tail = 0;  // and of the last k
    for (std::size_t k = 1; k <= known; ++k) {
        head += start_[k - 1];
        tail += recent_[static_cast<std::size_t>((count_ - k) % lags)];
        const double pairs = n - static_cast<double>(k);
        const double later = sum_ - head;
        const double earlier = sum_ - tail;
        all.push_back((products_[k] - mean * (later + earlier) + pairs * mean * mean) / squares);
    }
    return all;
}

double Autocorrelation::band() const {
    return count_ == 0 ? 0 : kTwoSided95 / std::sqrt(static_cast<double>(count_));
}

double Autocorrelation::mean() const {
    return count_ == 0 ? 0 : first_ + sum_ / static_cast<double>(count_);
}

double Autocorrelation::deviation() const {
    if (count_ < 2) {
        return 0;
    }
    const double n = static_cast<double>(count_);
    return std::sqrt(std::max(products_[0] - sum_ * sum_ / n, 0.0) / (n - 1));
}

}  // namespace groma
