// The list of the families that a flow can draw from. Its order is that of messages and of fits.
#pragma once

#include <variant>

#include "common/model/families/cauchy.hpp"
#include "common/model/families/constant.hpp"
#include "common/model/families/discrete.hpp"
#include "common/model/families/exponential.hpp"
#include "common/model/families/from_file.hpp"
#include "common/model/families/gamma.hpp"
#include "common/model/families/log_normal.hpp"
#include "common/model/families/normal.hpp"
#include "common/model/families/pareto.hpp"
#include "common/model/families/poisson.hpp"
#include "common/model/families/student_t.hpp"
#include "common/model/families/uniform.hpp"
#include "common/model/families/weibull.hpp"

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
