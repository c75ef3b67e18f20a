#include "common/model/families/sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace groma {

double Sample::quantile(double probability) const {
    const double wanted = std::ceil(probability * static_cast<double>(total));
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        so_far += counts[i];
        if (static_cast<double>(so_far) >= wanted) {
            return values[i];
        }
    }
    return values.back();
}

double Sample::mean() const {
    // Sums the differences from the first value: no cancellation where the values are nearly equal.
    return values.front() + mean_of([this](std::size_t i) { return values[i] - values.front(); });
}

double Sample::mean_logarithm() const {
    return mean_of([this](std::size_t i) { return std::log(positive(i)); });
}

Sample without_smallest(const Sample& sample, std::uint64_t count) {
    Sample rest;
    rest.resolution = sample.resolution;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        const std::uint64_t dropped = std::min(count, sample.counts[i]);
        count -= dropped;
        if (sample.counts[i] > dropped) {
            rest.values.push_back(sample.values[i]);
            rest.counts.push_back(sample.counts[i] - dropped);
        }
    }
    rest.total = std::accumulate(rest.counts.begin(), rest.counts.end(), std::uint64_t{0});
    return rest;
}

Sample make_sample(std::vector<std::int64_t> values, double resolution) {
    std::ranges::sort(values);
    Sample sample;
    sample.total = values.size();
    sample.resolution = resolution;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i == 0 or values[i] != values[i - 1]) {
            sample.values.push_back(static_cast<double>(values[i]));
            sample.counts.push_back(0);
        }
        ++sample.counts.back();
    }
    return sample;
}

}  // namespace groma
