// exp(-x/mean)/mean: gaps of a Poisson process.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

struct Exponential {
    double mean = 0;
    bool operator==(const Exponential&) const = default;

    static constexpr std::string_view kName = "exp";
    static constexpr std::array kParameters{Parameter{&Exponential::mean, "mean", parameter::gap}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const { return {mean, mean * mean}; }
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    [[nodiscard]] static std::optional<Exponential> likeliest(const Sample& sample);
};

}  // namespace groma
