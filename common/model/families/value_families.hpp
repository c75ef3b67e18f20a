// Families that are lists of values.
#pragma once

#include "common/json/describe.hpp"
#include "common/json/json_bounds.hpp"
#include "common/model/families/family.hpp"
#include "common/model/text/value_file.hpp"

namespace groma {

inline constexpr std::size_t kMaxDiscreteValues = 4096;

/// Values with weights, drawn independently.
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

/// The values of a file in its order, again from the start after the last. The values travel with the flow.
struct FromFile {
    std::string path;
    std::vector<double> values;
    bool operator==(const FromFile&) const = default;

    static constexpr std::string_view kName = "file";
    static constexpr bool continuous() { return false; }
    [[nodiscard]] Moments moments() const;
    [[nodiscard]] double tail(Tail side, double x) const;
    [[nodiscard]] double quantile(Tail side, double probability) const;
    [[nodiscard]] std::unique_ptr<Drawer> drawer() const;
    [[nodiscard]] std::string error() const;
    [[nodiscard]] static FromFile parse(const FamilyText& source);
    [[nodiscard]] std::string to_string(DrawnKind /*kind*/) const { return "file:" + path; }
    [[nodiscard]] FromFile scaled(double factor) const;
    [[nodiscard]] std::vector<double> exact_sizes() const { return values; }
    [[nodiscard]] std::size_t value_bytes() const { return values.size() * sizeof(double); }
};

template <typename Fields>
void describe(Fields& fields, As<Fields, FromFile>& d) {
    fields("path", d.path, UpTo{kMaxPathBytes});
    fields("values", d.values, Most{kMaxFileValues});
}

}  // namespace groma
