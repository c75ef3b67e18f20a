// Gauss.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

struct Normal {
    double mean = 0;
    double deviation = 0;
    bool operator==(const Normal&) const = default;

    static constexpr std::string_view kName = "normal";
    static constexpr std::array kParameters{
        Parameter{&Normal::mean, "mean", parameter::positive},
        Parameter{&Normal::deviation, "deviation", parameter::positive, "standard deviation"}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const { return {mean, deviation * deviation}; }
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// Mean and standard deviation (n).
    [[nodiscard]] static std::optional<Normal> likeliest(const Sample& sample);
};

}  // namespace groma
