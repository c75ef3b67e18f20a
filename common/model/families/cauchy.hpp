// 1/(pi scale (1 + z^2)), z = (x - location)/scale.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

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

}  // namespace groma
