#include "common/model/families/weighted_values.hpp"

#include <algorithm>
#include <numeric>

namespace groma {

Moments weighted_moments(const std::vector<double>& values, const std::vector<double>& weights) {
    double total = 0;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double weight = weights.empty() ? 1 : weights[i];
        total += weight;
        sum += weight * values[i];
    }
    const double center = sum / total;
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        squares += (weights.empty() ? 1 : weights[i]) * (values[i] - center) * (values[i] - center);
    }
    return {center, squares / total};
}

double weighted_tail(const std::vector<double>& values, const std::vector<double>& weights, Tail side, double x) {
    double total = 0;
    double below = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double weight = weights.empty() ? 1 : weights[i];
        total += weight;
        below += values[i] <= x ? weight : 0;
    }
    return side == Tail::lower ? below / total : 1 - below / total;
}

double weighted_quantile(const std::vector<double>& values, const std::vector<double>& weights, Tail side,
                         double probability) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
    double total = 0;
    for (const std::size_t i : order) {
        total += weight(i);
    }
    const double below = (side == Tail::upper ? 1 - probability : probability) * total;
    double so_far = 0;
    for (const std::size_t i : order) {
        so_far += weight(i);
        if (so_far >= below) {
            return values[i];
        }
    }
    return values[order.back()];
}

std::vector<double> times(std::vector<double> values, double factor) {
    for (double& value : values) {
        value *= factor;
    }
    return values;
}

std::string values_error(const std::vector<double>& values) {
    for (const double value : values) {
        if (std::string error = parameter::from_0_on("value", value); not error.empty()) {
            return error;
        }
    }
    return std::ranges::any_of(values, [](double value) { return value > 0; }) ? "" : "one value must be above 0";
}

std::string weights_error(const std::vector<double>& weights) {
    constexpr double kSmallestWeight = 1e-12;
    constexpr double kLargestWeight = 1e12;
    for (const double weight : weights) {
        if (not(weight >= kSmallestWeight and weight <= kLargestWeight)) {
            return "every weight must be above 0 (and between 1e-12 and 1e12)";
        }
    }
    return {};
}

}  // namespace groma
