// `unit` times a Poisson number with this mean count: a gap of 0, 1, 2, ... units.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

struct Poisson {
    double mean = 0;
    double unit = 1;
    bool operator==(const Poisson&) const = default;

    static constexpr std::string_view kName = "poisson";
    static constexpr std::array kParameters{
        Parameter{&Poisson::mean, "mean", parameter::unchecked_number},
        Parameter{&Poisson::unit, "unit", parameter::positive, "unit", Fitted::given}};
    static constexpr bool continuous() { return false; }
    [[nodiscard]] Moments moments() const { return {mean * unit, mean * unit * unit}; }
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// The mean, in units of the sample's resolution. Only of what comes in whole units.
    [[nodiscard]] static std::optional<Poisson> likeliest(const Sample& sample);
    [[nodiscard]] std::string error() const {
        return parameter::within("mean", mean, 1e-9, 1e9, "above 0, and at most a thousand million units");
    }
    [[nodiscard]] static Poisson parse(const FamilyText& source);
    [[nodiscard]] std::string to_string(DrawnKind kind) const;
};

}  // namespace groma
