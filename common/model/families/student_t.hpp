// location + scale t, t being Student's with so many degrees of freedom.
#pragma once

#include "common/model/families/family.hpp"

namespace groma {

struct StudentT {
    double degrees = 0;
    double location = 0;
    double scale = 0;
    bool operator==(const StudentT&) const = default;

    static constexpr std::string_view kName = "student";
    static constexpr std::array kParameters{
        Parameter{&StudentT::degrees, "degrees", parameter::shape, "degrees of freedom"},
        Parameter{&StudentT::location, "location", parameter::not_negative},
        Parameter{&StudentT::scale, "scale", parameter::positive}};
    static constexpr bool continuous() { return true; }
    [[nodiscard]] Moments moments() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] double log_density(double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// The degrees of freedom are those of the largest likelihood between 0.2 and 200 (Brent's method).
    [[nodiscard]] static std::optional<StudentT> likeliest(const Sample& sample);
    /// For given degrees of freedom, by expectation and maximisation [Kent, Tyler and Vardi 1994].
    [[nodiscard]] static std::optional<StudentT> likeliest_of(const Sample& sample, double degrees);
};

}  // namespace groma
