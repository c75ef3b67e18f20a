// A probability distribution as a value: what a user wrote, can be compared, printed, sent and kept in a log. Drawing
// from it is the sampler's work (common/model/distributions/sampler.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace groma {

// Parameters are in the unit of the process that the distribution belongs to: nanoseconds for inter-departure times
// and ON/OFF periods, bytes for sizes.
struct Constant {
    double value = 0;
    bool operator==(const Constant&) const = default;
};
struct Uniform {
    double low = 0;
    double high = 0;
    bool operator==(const Uniform&) const = default;
};
struct Exponential {
    double mean = 0;
    bool operator==(const Exponential&) const = default;
};
struct Normal {
    double mean = 0;
    double deviation = 0;
    bool operator==(const Normal&) const = default;
};
/// `unit` times a Poisson number with this mean count (a gap of 0, 1, 2, ... units).
struct Poisson {
    double mean = 0;
    double unit = 1;
    bool operator==(const Poisson&) const = default;
};
struct Pareto {
    double shape = 0;
    double scale = 0;
    bool operator==(const Pareto&) const = default;
};
struct Cauchy {
    double location = 0;
    double scale = 0;
    bool operator==(const Cauchy&) const = default;
};
struct Gamma {
    double shape = 0;
    double scale = 0;
    bool operator==(const Gamma&) const = default;
};
struct Weibull {
    double shape = 0;
    double scale = 0;
    bool operator==(const Weibull&) const = default;
};
/// The logarithm of value/median is normal with deviation `sigma`.
struct LogNormal {
    double median = 0;
    double sigma = 0;
    bool operator==(const LogNormal&) const = default;
};
struct StudentT {
    double degrees = 0;
    double location = 0;
    double scale = 0;
    bool operator==(const StudentT&) const = default;
};
/// Values with weights, drawn independently.
struct Discrete {
    std::vector<double> values;
    std::vector<double> weights;
    bool operator==(const Discrete&) const = default;
};
/// The values of a file in its order, again from the start after the last. The values travel with the flow.
struct FromFile {
    std::string path;
    std::vector<double> values;
    bool operator==(const FromFile&) const = default;
};
struct Mixture;

using SimpleDistribution = std::variant<Constant, Uniform, Exponential, Normal, Poisson, Pareto, Cauchy, Gamma, Weibull,
                                        LogNormal, StudentT, Discrete, FromFile>;

/// Each draw comes from one of the components, chosen by weight.
struct Mixture {
    std::vector<double> weights;
    std::vector<SimpleDistribution> components;
    bool operator==(const Mixture&) const = default;
};

using Distribution = std::variant<Constant, Uniform, Exponential, Normal, Poisson, Pareto, Cauchy, Gamma, Weibull,
                                  LogNormal, StudentT, Discrete, FromFile, Mixture>;

}  // namespace groma
