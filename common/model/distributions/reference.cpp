#include "common/model/distributions/reference.hpp"

#include <cmath>

namespace groma {

namespace {

Moments moments(const Distribution& distribution) {
    return std::visit([](const auto& d) { return d.moments(); }, distribution);
}

double tail(const Distribution& distribution, Tail side, double x) {
    return std::visit([&](const auto& d) { return d.tail(side, x); }, distribution);
}

}  // namespace

std::optional<double> mean(const Distribution& distribution) {
    return moments(distribution).mean;
}

std::optional<double> mean_from_0(const Distribution& distribution) {
    return std::visit([](const auto& d) { return mean_from_0_of(d); }, distribution);
}

std::optional<double> deviation(const Distribution& distribution) {
    const auto variance = moments(distribution).variance;
    return variance ? std::optional(std::sqrt(*variance)) : std::nullopt;
}

double cdf(const Distribution& distribution, double x) {
    return tail(distribution, Tail::lower, x);
}

double survival(const Distribution& distribution, double x) {
    return tail(distribution, Tail::upper, x);
}

}  // namespace groma
