// P(X > x) = exp(-(x/scale)^shape).
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

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

}  // namespace groma
