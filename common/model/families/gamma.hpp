// x^(shape-1) exp(-x/scale) / (Gamma(shape) scale^shape).
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

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

}  // namespace groma
