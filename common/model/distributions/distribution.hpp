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

/// No times between departures at all: a packet is due as soon as it can leave. Only for inter-departure times, and not
/// in mixtures. Draws are 0, and no figure of it exists.
struct Greedy {
    bool operator==(const Greedy&) const = default;

    static constexpr std::string_view kName = "max";
    static constexpr bool continuous() { return false; }
    [[nodiscard]] static Moments moments() { return {}; }
    [[nodiscard]] static double tail(Tail side, double x) { return (x >= 0) == (side == Tail::lower) ? 1 : 0; }
    [[nodiscard]] static std::unique_ptr<Drawer> drawer();
    [[nodiscard]] static std::string to_string(DrawnKind /*kind*/) { return std::string(kName); }
    [[nodiscard]] static Greedy scaled(double /*factor*/) { return {}; }
};

template <typename Fields>
void describe(Fields& /*fields*/, As<Fields, Greedy>& /*greedy*/) {}

template <typename Variant>
struct OrCompound;
template <typename... Families>
struct OrCompound<std::variant<Families...>> {
    using Type = std::variant<Families..., Mixture, Greedy>;
};

/// One of the simple families, a mixture of them, or none.
using Distribution = OrCompound<SimpleDistribution>::Type;

[[nodiscard]] inline bool is_greedy(const Distribution& distribution) {
    return std::holds_alternative<Greedy>(distribution);
}

}  // namespace groma
