// The values of a file in its order, again from the start after the last. The values travel with the flow.
#pragma once

#include "common/json/describe.hpp"
#include "common/json/json_bounds.hpp"
#include "common/model/families/family.hpp"
#include "common/model/text/value_file.hpp"

namespace groma {

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
