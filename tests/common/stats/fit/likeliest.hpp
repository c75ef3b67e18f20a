// The likeliest parameters of each family as a Distribution.
#pragma once

#include "common/stats/fit/maximum_likelihood.hpp"

namespace groma {

template <typename Family>
std::optional<Distribution> likeliest_distribution(const Sample& sample) {
    return likeliest<Family>(sample);
}

inline constexpr auto likeliest_exponential = likeliest_distribution<Exponential>;
inline constexpr auto likeliest_normal = likeliest_distribution<Normal>;
inline constexpr auto likeliest_uniform = likeliest_distribution<Uniform>;
inline constexpr auto likeliest_pareto = likeliest_distribution<Pareto>;
inline constexpr auto likeliest_lognormal = likeliest_distribution<LogNormal>;
inline constexpr auto likeliest_gamma = likeliest_distribution<Gamma>;
inline constexpr auto likeliest_weibull = likeliest_distribution<Weibull>;
inline constexpr auto likeliest_cauchy = likeliest_distribution<Cauchy>;
inline constexpr auto likeliest_student = likeliest_distribution<StudentT>;
inline constexpr auto likeliest_poisson = likeliest_distribution<Poisson>;

inline std::optional<Distribution> likeliest_discrete(const Sample& sample, std::size_t most) {
    return likeliest<Discrete>(sample, most);
}

}  // namespace groma
