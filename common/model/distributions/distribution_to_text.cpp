#include "common/model/distributions/distribution_text.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <variant>

#include "common/model/distributions/distribution_check.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

using ValueText = std::string (*)(double);

/// How the values of a process are written: parameters that may be rates, and those that may not.
struct Writer {
    ValueText gap;
    ValueText value;
    double default_unit;

    std::string operator()(const Constant& d) const { return "const:" + gap(d.value); }
    std::string operator()(const Uniform& d) const { return "unif:" + value(d.low) + ":" + value(d.high); }
    std::string operator()(const Exponential& d) const { return "exp:" + gap(d.mean); }
    std::string operator()(const Normal& d) const { return "normal:" + value(d.mean) + ":" + value(d.deviation); }
    std::string operator()(const Poisson& d) const {
        // The product can be a rounding away from the double that divides back to the mean.
        const double product = d.mean * d.unit;
        std::string mean = number_to_string(d.mean) + "x";
        for (const double candidate : {product, std::nextafter(product, 0.0), std::nextafter(product, 2 * product)}) {
            if (candidate / d.unit == d.mean and candidate <= kLargestValue) {
                mean = value(candidate);
                break;
            }
        }
        mean.insert(0, "poisson:");
        if (d.unit != default_unit) {
            mean += ':';
            mean += value(d.unit);
        }
        return mean;
    }
    std::string operator()(const Pareto& d) const {
        return "pareto:" + number_to_string(d.shape) + ":" + value(d.scale);
    }
    std::string operator()(const Cauchy& d) const { return "cauchy:" + value(d.location) + ":" + value(d.scale); }
    std::string operator()(const Gamma& d) const { return "gamma:" + number_to_string(d.shape) + ":" + value(d.scale); }
    std::string operator()(const Weibull& d) const {
        return "weibull:" + number_to_string(d.shape) + ":" + value(d.scale);
    }
    std::string operator()(const LogNormal& d) const {
        return "lognormal:" + value(d.median) + ":" + number_to_string(d.sigma);
    }
    std::string operator()(const StudentT& d) const {
        return "student:" + number_to_string(d.degrees) + ":" + value(d.location) + ":" + value(d.scale);
    }
    std::string operator()(const Discrete& d) const {
        std::string text = "discrete";
        for (std::size_t i = 0; i < d.values.size(); ++i) {
            text += i == 0 ? ':' : ',';
            text += value(d.values[i]);
            text += '=';
            text += number_to_string(d.weights[i]);
        }
        return text;
    }
    std::string operator()(const FromFile& d) const { return "file:" + d.path; }
    std::string operator()(const Mixture& d) const {
        std::string text = "mix";
        for (std::size_t i = 0; i < d.components.size(); ++i) {
            text += i == 0 ? ':' : '+';
            text += number_to_string(d.weights[i]);
            text += "*(";
            text += std::visit(*this, d.components[i]);
            text += ')';
        }
        return text;
    }
};

}  // namespace

std::string idt_to_string(const Distribution& idt) {
    return std::visit(Writer{gap_to_string, time_to_string, 1e6}, idt);
}

std::string period_to_string(const Distribution& period) {
    return std::visit(Writer{time_to_string, time_to_string, 1e6}, period);
}

std::string size_to_string(const Distribution& size) {
    return std::visit(Writer{number_to_string, number_to_string, 1}, size);
}

}  // namespace groma
