// The logarithm of value/median is normal with deviation `sigma`.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

struct LogNormal {
    double median = 0;
    double sigma = 0;
    bool operator==(const LogNormal&) const = default;

    static constexpr std::string_view kName = "lognormal";
    static constexpr std::array kParameters{Parameter{&LogNormal::median, "median", parameter::positive},
                                            Parameter{&LogNormal::sigma, "sigma", parameter::number}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// Mean and standard deviation (n) of the logarithms.
    [[nodiscard]] static std::optional<LogNormal> likeliest(const Sample& sample);
    [[nodiscard]] std::string error() const { return parameter::within("sigma", sigma, 0, 100, "at most 100"); }
};

}  // namespace groma
