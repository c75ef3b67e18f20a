// What the files of families share. A family is a structure of its parameters. The code for all distributions
// (common/model/distributions, common/stats/fit) calls these members and knows no family by its name:
//
//     kName           in texts and JSON
//     kParameters     the rules that JSON, texts, checks, scaling and rounding follow; a family without has the
//                     members parse(), to_string(), error(), scaled() and a function describe()
//     continuous()    whether no value has a probability of its own
//     moments()       mean and variance of the distribution as written, before the rules for negative gaps
//     tail()          P(X <= x) or P(X > x)
//     drawer()        what draws from it
//     quantile()      the inverse of tail(), for 0 < probability < 1; without it found by bisection
//     log_density()   ln of the density at x; a family without has no one density
//     likeliest()     the parameters under which a sample of at least one value is most likely, if there are any; the
//                     caller checks them. A family without is not fitted. Half the resolution stands for a 0 where a
//                     family has only values above 0.
//     error(), parse(), to_string()
//                     where the rules of parameters do not say it all
//     exact_sizes()   the sizes that it writes out, which must be possible as they are
//     value_bytes()   the memory that its lists of values take
//
// Parameters are in the unit of the process that the distribution belongs to: nanoseconds for inter-departure times and
// ON/OFF periods, bytes for sizes. Nearly every source reads this header: no Boost here.
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

enum class DrawnKind : std::uint8_t { gap, period, size };  ///< of the values of a distribution

enum class Tail : bool { lower, upper };  ///< P(X <= x), P(X > x), not from one another: 1 - P loses the small digits

/// Nothing where they do not exist.
struct Moments {
    std::optional<double> mean{};
    std::optional<double> variance{};
};

enum class ParameterUnit : std::uint8_t {
    number,  ///< none: stays when values are scaled
    value,   ///< that of the values
    gap,     ///< that of the values, being their mean: of gaps it may be written as a rate
};

struct ParameterKind {
    ParameterUnit unit;
    std::string (*error)(std::string_view label, double value);
};

/// What a fit makes of a parameter.
enum class Fitted : std::uint8_t { rounded, rounded_down, exactly, given };

template <typename Family>
struct Parameter {
    double Family::*member;
    std::string_view name;  ///< in JSON; in capitals what texts are told to have
    ParameterKind kind;
    std::string_view label = name;  ///< in messages
    Fitted fitted = Fitted::rounded;
};
template <typename Family, typename... Rest>
Parameter(double Family::*, Rest...) -> Parameter<Family>;

}  // namespace groma

namespace groma::parameter {

// Returns: what is wrong with the value; empty when it is good.
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
inline constexpr ParameterKind unchecked_number{ParameterUnit::number, unchecked};  ///< by its family's error()

}  // namespace groma::parameter
