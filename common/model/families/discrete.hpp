// Values with weights, drawn independently.
#pragma once

#include "common/json/describe.hpp"
#include "common/json/json_bounds.hpp"
#include "common/model/families/family.hpp"

namespace groma {

inline constexpr std::size_t kMaxDiscreteValues = 4096;

struct Discrete {
    std::vector<double> values;
    std::vector<double> weights;
    bool operator==(const Discrete&) const = default;

    static constexpr std::string_view kName = "discrete";
    static constexpr bool continuous() { return false; }
    [[nodiscard]] Moments moments() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    /// Each value with its share; nothing beyond `most` different values.
    [[nodiscard]] static std::optional<Discrete> likeliest(const Sample& sample, std::size_t most);
    [[nodiscard]] std::string error() const;
    [[nodiscard]] static Discrete parse(const FamilyText& source);
    [[nodiscard]] std::string to_string(DrawnKind kind) const;
    [[nodiscard]] Discrete scaled(double factor) const;
    [[nodiscard]] std::vector<double> exact_sizes() const { return values; }
    [[nodiscard]] std::size_t value_bytes() const { return 2 * values.size() * sizeof(double); }
};

template <typename Fields>
void describe(Fields& fields, As<Fields, Discrete>& d) {
    fields("values", d.values, Most{kMaxDiscreteValues});
    fields("weights", d.weights, Most{kMaxDiscreteValues});
}

}  // namespace groma
