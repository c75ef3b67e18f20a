// Values with weights; without weights all count alike.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

[[nodiscard]] Moments weighted_moments(const std::vector<double>& values, const std::vector<double>& weights);
[[nodiscard]] double weighted_tail(const std::vector<double>& values, const std::vector<double>& weights, Tail side,
                                   double x);
/// Requires: at least one value.
[[nodiscard]] double weighted_quantile(const std::vector<double>& values, const std::vector<double>& weights, Tail side,
                                       double probability);

[[nodiscard]] std::vector<double> times(std::vector<double> values, double factor);

// Returns: what is wrong with the first bad one; empty if all are good.
[[nodiscard]] std::string values_error(const std::vector<double>& values);
[[nodiscard]] std::string weights_error(const std::vector<double>& weights);

}  // namespace groma
