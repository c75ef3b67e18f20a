// What all families of distributions share. A family is a structure of its parameters. Code for all distributions
// (common/model/distributions, common/stats/fit) calls these members and names no family:
//
//     kName           in texts and JSON
//     kParameters     the rules for JSON, texts, checks, scaling and rounding; a family without them has the members
//                     parse(), to_string(), error(), scaled() and a function describe()
//     continuous()    whether no value has a probability of its own
//     moments()       mean and variance of the distribution as written, before the rules for negative gaps
//     mean_from_0()   the mean of max(X, 0), if it exists; only for families with values below 0
//     tail()          P(X <= x) or P(X > x)
//     drawer()        makes the object that draws
//     quantile()      the inverse of tail(), for 0 < probability < 1; optional, otherwise by bisection
//     log_density()   ln of the density at x; a family without it has no density
//     likeliest()     the most likely parameters for a sample of at least one value, if they exist; the caller checks
//                     them. A family without it is not fitted. A family with values above 0 only takes half the
//                     resolution for a 0.
//     kBeginsAtSmallest
//                     true where likeliest() lets the law begin at the smallest value, so that one stray value below
//                     the others spoils it: fits try without the smallest values, too
//     error(), parse(), to_string()
//                     where the rules of parameters are not enough
//     exact_sizes()   the sizes that it lists, each of which must be possible
//     value_bytes()   the memory of its lists of values
//
// Parameters are in the unit of the process: nanoseconds for inter-departure times and ON/OFF periods, bytes for sizes.
// Nearly every source reads this header: no Boost here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace groma {

class Drawer;       // drawer.hpp
struct FamilyText;  // family_text.hpp
struct Sample;      // sample.hpp

/// How draws come from a seed. A number of its own for each way that there has been (docs/reference/models.md): logs
/// keep it, so that old seeds keep their departures.
enum class Generator : std::uint8_t {
    unit_32,  ///< 1: uniform draws of 32 bits, so that tails end at a probability of 2^-32
    unit_53,  ///< 2: of 53 bits
};

enum class DrawnKind : std::uint8_t { gap, period, size };  ///< of the values of a distribution

enum class Tail : bool {
    lower,
    upper
};  ///< P(X <= x), P(X > x). Neither is computed from the other: 1 - P loses the small digits

/// Empty where they do not exist.
struct Moments {
    std::optional<double> mean{};
    std::optional<double> variance{};
};

enum class ParameterUnit : std::uint8_t {
    number,  ///< none: stays when values are scaled
    value,   ///< the unit of the values
    gap,     ///< the unit of the values, as their mean: for gaps it may be written as a rate
};

struct ParameterKind {
    ParameterUnit unit;
    std::string (*error)(std::string_view label, double value);
};

/// How a fit rounds a parameter; `given`: it is not fitted.
enum class Fitted : std::uint8_t { rounded, rounded_down, exactly, given };

/// The mean of max(X, 0): draws below 0 are raised to 0 (docs/reference/models.md).
template <typename Family>
[[nodiscard]] std::optional<double> mean_from_0_of(const Family& family) {
    if constexpr (requires { family.mean_from_0(); }) {
        return family.mean_from_0();
    } else {
        return family.moments().mean;
    }
}

template <typename Family>
struct Parameter {
    double Family::*member;
    std::string_view name;  ///< in JSON; in capitals in the advice for texts
    ParameterKind kind;
    std::string_view label = name;  ///< in messages
    Fitted fitted = Fitted::rounded;
};
template <typename Family, typename... Rest>
Parameter(double Family::*, Rest...) -> Parameter<Family>;

}  // namespace groma

namespace groma::parameter {

// Returns: what is wrong with the value; empty if it is good.
[[nodiscard]] std::string within(std::string_view label, double value, double low, double high,
                                 std::string_view bounds);
[[nodiscard]] std::string above_0(std::string_view label, double value);
[[nodiscard]] std::string from_0_on(std::string_view label, double value);
/// Shapes outside of 0.01 to 1e6 are rounding noise (a Pareto of shape 0.01 has its median at 2^100 times the scale).
[[nodiscard]] std::string shapely(std::string_view label, double value);
[[nodiscard]] std::string unchecked(std::string_view label, double value);

inline constexpr ParameterKind gap{ParameterUnit::gap, above_0};
inline constexpr ParameterKind positive{ParameterUnit::value, above_0};
inline constexpr ParameterKind not_negative{ParameterUnit::value, from_0_on};
inline constexpr ParameterKind number{ParameterUnit::number, above_0};
inline constexpr ParameterKind shape{ParameterUnit::number, shapely};
inline constexpr ParameterKind unchecked_number{ParameterUnit::number, unchecked};  ///< checked by its family's error()

}  // namespace groma::parameter
