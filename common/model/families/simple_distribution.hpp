// The list of the families that a flow can draw from. Its order is that of messages and of fits.
#pragma once

#include <variant>

#include "common/model/families/parametric_families.hpp"
#include "common/model/families/value_families.hpp"

namespace groma {

using SimpleDistribution = std::variant<Constant, Uniform, Exponential, Normal, Poisson, Pareto, Cauchy, Gamma, Weibull,
                                        LogNormal, StudentT, Discrete, FromFile>;

/// The names of families, in the order of the alternatives of a variant.
template <typename Variant>
inline constexpr std::array<std::string_view, 0> kNamesOf{};
template <typename... Families>
inline constexpr std::array<std::string_view, sizeof...(Families)> kNamesOf<std::variant<Families...>>{
    Families::kName...};

/// "FAMILY:PARAMETERS", or a value alone, which is a constant; the family of `source` is ignored. Throws: UsageError.
[[nodiscard]] SimpleDistribution parse_simple(FamilyText source);

}  // namespace groma
