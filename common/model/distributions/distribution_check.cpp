#include "common/model/distributions/distribution_check.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/model/text/value_file.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace groma {

namespace {

// Shapes outside these are rounding noise (a Pareto of shape 0.01 has its median at 2^100 times the scale).
constexpr double kSmallestShape = 0.01;
constexpr double kLargestShape = 1e6;
constexpr double kLargestSigma = 100;
constexpr double kLargestWeight = 1e12;
constexpr double kSmallestWeight = 1e-12;

std::string within(std::string_view name, double value, double low, double high, std::string_view bounds) {
    if (std::isfinite(value) and value >= low and value <= high) {
        return {};
    }
    return "the " + std::string(name) + " must be " + std::string(bounds);
}

std::string positive(std::string_view name, double value) {
    if (std::isfinite(value) and value > 0 and value <= kLargestValue) {
        return {};
    }
    return "the " + std::string(name) + (value > 0 ? " is too large" : " must be above 0");
}

std::string not_negative(std::string_view name, double value) {
    if (std::isfinite(value) and value >= 0 and value <= kLargestValue) {
        return {};
    }
    return "the " + std::string(name) + (value > 0 ? " is too large" : " must not be negative");
}

std::string shape(std::string_view name, double value) {
    return within(name, value, kSmallestShape, kLargestShape, "between 0.01 and 1000000");
}

std::string first_of(std::string a, std::string b, std::string c = {}) {
    return not a.empty() ? a : not b.empty() ? b : c;
}

std::string weights_mistake(const std::vector<double>& weights) {
    for (const double weight : weights) {
        if (not(weight >= kSmallestWeight and weight <= kLargestWeight)) {
            return "every weight must be above 0 (and between 1e-12 and 1e12)";
        }
    }
    return {};
}

std::string values_mistake(const std::vector<double>& values) {
    for (const double value : values) {
        if (std::string mistake = not_negative("value", value); not mistake.empty()) {
            return mistake;
        }
    }
    return std::ranges::any_of(values, [](double value) { return value > 0; }) ? "" : "one value must be above 0";
}

struct ParameterCheck {
    std::string operator()(const Constant& d) const { return positive("value", d.value); }
    std::string operator()(const Uniform& d) const {
        return first_of(not_negative("lower end", d.low), positive("upper end", d.high),
                        d.low < d.high ? "" : "the lower end must be below the upper end");
    }
    std::string operator()(const Exponential& d) const { return positive("mean", d.mean); }
    std::string operator()(const Normal& d) const {
        return first_of(positive("mean", d.mean), positive("standard deviation", d.deviation));
    }
    std::string operator()(const Poisson& d) const {
        return first_of(positive("unit", d.unit),
                        within("mean", d.mean, 1e-9, 1e9, "above 0, and at most a thousand million units"));
    }
    std::string operator()(const Pareto& d) const {
        return first_of(shape("shape", d.shape), positive("scale", d.scale));
    }
    std::string operator()(const Cauchy& d) const {
        return first_of(not_negative("location", d.location), positive("scale", d.scale));
    }
    std::string operator()(const Gamma& d) const {
        return first_of(shape("shape", d.shape), positive("scale", d.scale));
    }
    std::string operator()(const Weibull& d) const {
        return first_of(shape("shape", d.shape), positive("scale", d.scale));
    }
    std::string operator()(const LogNormal& d) const {
        return first_of(positive("median", d.median), positive("sigma", d.sigma),
                        within("sigma", d.sigma, 0, kLargestSigma, "at most 100"));
    }
    std::string operator()(const StudentT& d) const {
        return first_of(shape("degrees of freedom", d.degrees), not_negative("location", d.location),
                        positive("scale", d.scale));
    }
    std::string operator()(const Discrete& d) const {
        if (d.values.empty() or d.values.size() != d.weights.size() or d.values.size() > kMaxDiscreteValues) {
            return "there must be between 1 and " + std::to_string(kMaxDiscreteValues) + " values, each with a weight";
        }
        return first_of(values_mistake(d.values), weights_mistake(d.weights));
    }
    std::string operator()(const FromFile& d) const {
        if (d.values.empty() or d.values.size() > kMaxFileValues) {
            return "there must be between 1 and " + std::to_string(kMaxFileValues) + " values";
        }
        const bool bad_path = d.path.empty() or d.path.size() > kMaxPathBytes or
                              std::ranges::any_of(d.path, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
        return bad_path ? "the path must have 1 to 1024 characters, no control characters among them"
                        : values_mistake(d.values);
    }
    std::string operator()(const Mixture& d) const {
        if (d.components.empty() or d.components.size() != d.weights.size() or
            d.components.size() > kMaxMixtureComponents) {
            return "there must be between 1 and " + std::to_string(kMaxMixtureComponents) +
                   " components, each with a weight";
        }
        for (const SimpleDistribution& component : d.components) {
            if (std::string mistake = std::visit(*this, component); not mistake.empty()) {
                return mistake;
            }
        }
        return weights_mistake(d.weights);
    }
};

}  // namespace

std::string parameter_mistake(const Distribution& distribution) {
    return std::visit(ParameterCheck{}, distribution);
}

}  // namespace groma
