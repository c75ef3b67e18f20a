// Families with a few parameters. Each has a source of its name.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

/// Always the same value.
struct Constant {
    double value = 0;
    bool operator==(const Constant&) const = default;

    static constexpr std::string_view kName = "const";
    static constexpr std::array kParameters{Parameter{&Constant::value, "value", parameter::gap}};
    static constexpr bool continuous() { return false; }
    [[nodiscard]] Moments moments() const { return {value, 0.0}; }
    [[nodiscard]] double tail(Tail side, double x) const { return (x >= value) == (side == Tail::lower) ? 1 : 0; }
    [[nodiscard]] double quantile(Tail /*side*/, double /*probability*/) const { return value; }
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    [[nodiscard]] std::vector<double> exact_sizes() const { return {value}; }
};

/// All values between two ends are equally likely. With rates it is uniform in the gap.
struct Uniform {
    double low = 0;
    double high = 0;
    bool operator==(const Uniform&) const = default;

    static constexpr std::string_view kName = "unif";
    static constexpr std::array kParameters{
        Parameter{&Uniform::low, "low", parameter::not_negative, "lower end", Fitted::exactly},
        Parameter{&Uniform::high, "high", parameter::positive, "upper end", Fitted::exactly}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const { return {(low + high) / 2, (high - low) * (high - low) / 12}; }
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// The smallest and the largest value, extended by half the resolution: 100 to 319 bytes gives 99.5 to 319.5.
    [[nodiscard]] static std::optional<Uniform> likeliest(const Sample& sample);
    [[nodiscard]] std::string error() const { return low < high ? "" : "the lower end must be below the upper end"; }
    [[nodiscard]] static Uniform parse(const FamilyText& source);
    /// The two ends are half as likely as the sizes between them (docs/reference/models.md).
    [[nodiscard]] std::vector<double> exact_sizes() const;
};

/// exp(-x/mean)/mean: gaps of a Poisson process.
struct Exponential {
    double mean = 0;
    bool operator==(const Exponential&) const = default;

    static constexpr std::string_view kName = "exp";
    static constexpr std::array kParameters{Parameter{&Exponential::mean, "mean", parameter::gap}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const { return {mean, mean * mean}; }
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    [[nodiscard]] static std::optional<Exponential> likeliest(const Sample& sample);
};

/// Gauss.
struct Normal {
    double mean = 0;
    double deviation = 0;
    bool operator==(const Normal&) const = default;

    static constexpr std::string_view kName = "normal";
    static constexpr std::array kParameters{
        Parameter{&Normal::mean, "mean", parameter::positive},
        Parameter{&Normal::deviation, "deviation", parameter::positive, "standard deviation"}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const { return {mean, deviation * deviation}; }
    [[nodiscard]] std::optional<double> mean_from_0() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// Mean and standard deviation (n); zeros count as draws below 0 [Tobin 1958], by expectation and maximisation.
    [[nodiscard]] static std::optional<Normal> likeliest(const Sample& sample);
};

/// `unit` times a Poisson number with this mean count: a gap of 0, 1, 2, ... units.
struct Poisson {
    double mean = 0;
    double unit = 1;
    bool operator==(const Poisson&) const = default;

    static constexpr std::string_view kName = "poisson";
    static constexpr std::array kParameters{
        Parameter{&Poisson::mean, "mean", parameter::unchecked_number},
        Parameter{&Poisson::unit, "unit", parameter::positive, "unit", Fitted::given}};
    static constexpr bool continuous() { return false; }
    [[nodiscard]] Moments moments() const { return {mean * unit, mean * unit * unit}; }
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// The mean, in units of the sample's resolution. Only for values in multiples of it.
    [[nodiscard]] static std::optional<Poisson> likeliest(const Sample& sample);
    [[nodiscard]] std::string error() const {
        return parameter::within("mean", mean, 1e-9, 1e9, "above 0, and at most a thousand million units");
    }
    [[nodiscard]] static Poisson parse(const FamilyText& source);
    [[nodiscard]] std::string to_string(DrawnKind kind) const;
};

/// P(X > x) = (scale/x)^shape for x >= scale.
struct Pareto {
    double shape = 0;
    double scale = 0;
    bool operator==(const Pareto&) const = default;

    static constexpr std::string_view kName = "pareto";
    static constexpr bool kBeginsAtSmallest = true;
    static constexpr std::array kParameters{
        Parameter{&Pareto::shape, "shape", parameter::shape},
        Parameter{&Pareto::scale, "scale", parameter::positive, "scale", Fitted::rounded_down}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// Scale: the smallest value; shape: n / sum of ln(value / smallest) [Hill 1975, of all values].
    [[nodiscard]] static std::optional<Pareto> likeliest(const Sample& sample);
};

/// 1/(pi scale (1 + z^2)), z = (x - location)/scale.
struct Cauchy {
    double location = 0;
    double scale = 0;
    bool operator==(const Cauchy&) const = default;

    static constexpr std::string_view kName = "cauchy";
    static constexpr std::array kParameters{Parameter{&Cauchy::location, "location", parameter::not_negative},
                                            Parameter{&Cauchy::scale, "scale", parameter::positive}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const { return {}; }
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// By expectation and maximisation for one degree of freedom [Kent, Tyler and Vardi 1994].
    [[nodiscard]] static std::optional<Cauchy> likeliest(const Sample& sample);
};

/// x^(shape-1) exp(-x/scale) / (Gamma(shape) scale^shape).
struct Gamma {
    double shape = 0;
    double scale = 0;
    bool operator==(const Gamma&) const = default;

    static constexpr std::string_view kName = "gamma";
    static constexpr std::array kParameters{Parameter{&Gamma::shape, "shape", parameter::shape},
                                            Parameter{&Gamma::scale, "scale", parameter::positive}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const { return {shape * scale, shape * scale * scale}; }
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// ln k - digamma(k) = ln(mean) - mean of logarithms, by Newton's method [Choi and Wette 1969].
    [[nodiscard]] static std::optional<Gamma> likeliest(const Sample& sample);
};

/// P(X > x) = exp(-(x/scale)^shape).
struct Weibull {
    double shape = 0;
    double scale = 0;
    bool operator==(const Weibull&) const = default;

    static constexpr std::string_view kName = "weibull";
    static constexpr std::array kParameters{Parameter{&Weibull::shape, "shape", parameter::shape},
                                            Parameter{&Weibull::scale, "scale", parameter::positive}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// The shape's equation has one root [Cohen 1965], found by bracketing (TOMS 748).
    [[nodiscard]] static std::optional<Weibull> likeliest(const Sample& sample);
};

/// The logarithm of value/median is normal with deviation `sigma`.
struct LogNormal {
    double median = 0;
    double sigma = 0;
    bool operator==(const LogNormal&) const = default;

    static constexpr std::string_view kName = "lognormal";
    static constexpr std::array kParameters{Parameter{&LogNormal::median, "median", parameter::positive},
                                            Parameter{&LogNormal::sigma, "sigma", parameter::number}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// Mean and standard deviation (n) of the logarithms.
    [[nodiscard]] static std::optional<LogNormal> likeliest(const Sample& sample);
    [[nodiscard]] std::string error() const { return parameter::within("sigma", sigma, 0, 100, "at most 100"); }
};

/// location + scale t, where t is Student's with `degrees` degrees of freedom.
struct StudentT {
    double degrees = 0;
    double location = 0;
    double scale = 0;
    bool operator==(const StudentT&) const = default;

    static constexpr std::string_view kName = "student";
    static constexpr std::array kParameters{
        Parameter{&StudentT::degrees, "degrees", parameter::shape, "degrees of freedom"},
        Parameter{&StudentT::location, "location", parameter::not_negative},
        Parameter{&StudentT::scale, "scale", parameter::positive}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const;
    [[nodiscard]] std::optional<double> mean_from_0() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// The degrees of freedom are those of the largest likelihood between 0.2 and 200 (Brent's method).
    [[nodiscard]] static std::optional<StudentT> likeliest(const Sample& sample);
    /// For given degrees of freedom, by expectation and maximisation [Kent, Tyler and Vardi 1994]; zeros count as draws
    /// below 0.
    [[nodiscard]] static std::optional<StudentT> likeliest_of(const Sample& sample, double degrees);
};

}  // namespace groma
