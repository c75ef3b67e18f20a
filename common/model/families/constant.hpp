// Always the same value.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

struct Constant {
    double value = 0;
    bool operator==(const Constant&) const = default;

    static constexpr std::string_view kName = "const";
    static constexpr std::array kParameters{Parameter{&Constant::value, "value", parameter::gap}};
    static constexpr bool continuous() { return false; }
    [[nodiscard]] Moments moments() const { return {value, 0.0}; }
    [[nodiscard]] double tail(Tail side, double x) const { return (x >= value) == (side == Tail::lower) ? 1 : 0; }
    [[nodiscard]] double quantile(Tail /*side*/, double /*probability*/) const { return value; }
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    [[nodiscard]] std::vector<double> exact_sizes() const { return {value}; }
};

}  // namespace groma
