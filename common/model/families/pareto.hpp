// P(X > x) = (scale/x)^shape from the scale on.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

struct Pareto {
    double shape = 0;
    double scale = 0;
    bool operator==(const Pareto&) const = default;

    static constexpr std::string_view kName = "pareto";
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

}  // namespace groma
