// A probability distribution as a value: what a user wrote, can be compared, printed, sent and kept in a log. Drawing
// from it is the sampler's work (common/model/distributions/sampler.hpp).
#pragma once

#include "common/model/families/simple_distribution.hpp"

namespace groma {

inline constexpr std::size_t kMaxMixtureComponents = 64;

/// Draws from one of several components, which is chosen by weight. A family as those of
/// common/model/families/family.hpp.
struct Mixture {
    std::vector<double> weights;
    std::vector<SimpleDistribution> components;
    bool operator==(const Mixture&) const = default;

    static constexpr std::string_view kName = "mix";
    /// Whether all components are.
    [[nodiscard]] bool continuous() const;
    /// Those of the components and the spread of their means.
    [[nodiscard]] Moments moments() const;
    [[nodiscard]] std::optional<double> mean_from_0() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    [[nodiscard]] std::string error() const;
    [[nodiscard]] static Mixture parse(FamilyText source);
    [[nodiscard]] std::string to_string(DrawnKind kind) const;
    [[nodiscard]] Mixture scaled(double factor) const;
    [[nodiscard]] std::vector<double> exact_sizes() const;
    [[nodiscard]] std::size_t value_bytes() const;
};

template <typename Variant>
struct OrMixture;
template <typename... Families>
struct OrMixture<std::variant<Families...>> {
    using Type = std::variant<Families..., Mixture>;
};

/// One of the simple families, or a mixture of them.
using Distribution = OrMixture<SimpleDistribution>::Type;

}  // namespace groma
