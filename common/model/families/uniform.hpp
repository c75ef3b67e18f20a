// All values between two ends alike. With rates it is uniform in the gap.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

struct Uniform {
    double low = 0;
    double high = 0;
    bool operator==(const Uniform&) const = default;

    static constexpr std::string_view kName = "unif";
    static constexpr std::array kParameters{
        Parameter{&Uniform::low, "low", parameter::not_negative, "lower end", Fitted::exactly},
        Parameter{&Uniform::high, "high", parameter::positive, "upper end", Fitted::exactly}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const { return {(low + high) / 2, (high - low) * (high - low) / 12}; }
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// The smallest and the largest value, and half the resolution beyond each: 100 to 319 bytes is 99.5 to 319.5.
    [[nodiscard]] static std::optional<Uniform> likeliest(const Sample& sample);
    [[nodiscard]] std::string error() const { return low < high ? "" : "the lower end must be below the upper end"; }
    [[nodiscard]] static Uniform parse(const FamilyText& source);
    /// Its ends come half as often as the sizes between them (docs/reference/models.md).
    [[nodiscard]] std::vector<double> exact_sizes() const;
};

}  // namespace groma
