#include "common/model/distributions/scaled.hpp"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/distributions/distribution_check.hpp"
#include "common/model/distributions/reference.hpp"

namespace groma {

namespace {

struct Scaler {
    double factor;

    Constant operator()(const Constant& d) const { return {d.value * factor}; }
    Uniform operator()(const Uniform& d) const { return {d.low * factor, d.high * factor}; }
    Exponential operator()(const Exponential& d) const { return {d.mean * factor}; }
    Normal operator()(const Normal& d) const { return {d.mean * factor, d.deviation * factor}; }
    Poisson operator()(const Poisson& d) const { return {d.mean, d.unit * factor}; }
    Pareto operator()(const Pareto& d) const { return {d.shape, d.scale * factor}; }
    Cauchy operator()(const Cauchy& d) const { return {d.location * factor, d.scale * factor}; }
    Gamma operator()(const Gamma& d) const { return {d.shape, d.scale * factor}; }
    Weibull operator()(const Weibull& d) const { return {d.shape, d.scale * factor}; }
    LogNormal operator()(const LogNormal& d) const { return {d.median * factor, d.sigma}; }
    StudentT operator()(const StudentT& d) const { return {d.degrees, d.location * factor, d.scale * factor}; }
    Discrete operator()(const Discrete& d) const { return {times_factor(d.values), d.weights}; }
    FromFile operator()(const FromFile& d) const { return {d.path, times_factor(d.values)}; }
    Mixture operator()(const Mixture& d) const {
        Mixture mixture{d.weights, {}};
        for (const SimpleDistribution& component : d.components) {
            mixture.components.push_back(
                std::visit([this](const auto& c) { return SimpleDistribution((*this)(c)); }, component));
        }
        return mixture;
    }

    [[nodiscard]] std::vector<double> times_factor(std::vector<double> values) const {
        for (double& value : values) {
            value *= factor;
        }
        return values;
    }
};

bool of_file(const Distribution& distribution) {
    const auto file = [](const auto& part) { return std::holds_alternative<FromFile>(part); };
    if (const auto* mixture = std::get_if<Mixture>(&distribution)) {
        return std::ranges::any_of(mixture->components, file);
    }
    return file(distribution);
}

/// The mean gap that the rate asks for, in nanoseconds.
double gap_ns(const Rate& rate, const Distribution& size) {
    if (const auto* packets = std::get_if<PacketRate>(&rate)) {
        return 1e9 / packets->pps;
    }
    const auto bytes = mean(size);
    if (not bytes or not(*bytes > 0)) {
        throw UsageError("rate: the sizes of this flow have no mean, so give the rate in packets (pps)");
    }
    return 8e9 * *bytes / std::get<BitRate>(rate).bps;
}

}  // namespace

Distribution scaled(const Distribution& distribution, double factor) {
    return std::visit([factor](const auto& d) { return Distribution(Scaler{factor}(d)); }, distribution);
}

Distribution with_rate(const Distribution& idt, const Rate& rate, const Distribution& size) {
    const double gap = gap_ns(rate, size);
    if (not(gap > 0) or gap > kLargestValue) {
        throw UsageError("rate: is out of range for this flow");
    }
    if (std::holds_alternative<Constant>(idt)) {
        return Constant{gap};
    }
    if (std::holds_alternative<Exponential>(idt)) {
        return Exponential{gap};
    }
    const auto written = mean(idt);
    if (of_file(idt) or not written or not(*written > 0)) {
        throw UsageError(of_file(idt) ? "rate: the gaps of this flow are those of a file, which are sent as they are"
                                      : "rate: the inter-departure times of this flow have no mean that could be "
                                        "changed; write the ones you want with 'idt'");
    }
    Distribution result = scaled(idt, gap / *written);
    if (const std::string mistake = parameter_mistake(result); not mistake.empty()) {
        throw UsageError("rate: is out of range for this flow: " + mistake);
    }
    return result;
}

}  // namespace groma
