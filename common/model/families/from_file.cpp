#include "common/model/families/value_families.hpp"

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/model/families/drawer.hpp"
#include "common/model/families/family_text.hpp"
#include "common/model/families/weighted_values.hpp"

namespace groma {

Moments FromFile::moments() const {
    return weighted_moments(values, {});
}

double FromFile::tail(Tail side, double x) const {
    return weighted_tail(values, {}, side, x);
}

double FromFile::quantile(Tail side, double probability) const {
    return weighted_quantile(values, {}, side, probability);
}

std::unique_ptr<Drawer> FromFile::drawer() const {
    return drawer_of([values = values, next = std::size_t{0}](Engine&) mutable {
        const double value = values[next];
        next = next + 1 == values.size() ? 0 : next + 1;
        return value;
    });
}

std::string FromFile::error() const {
    if (values.empty() or values.size() > kMaxFileValues) {
        return "there must be between 1 and " + std::to_string(kMaxFileValues) + " values";
    }
    const bool bad_path = path.empty() or path.size() > kMaxPathBytes or
                          std::ranges::any_of(path, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    return bad_path ? "the path must have 1 to 1024 characters, no control characters among them"
                    : values_error(values);
}

FromFile FromFile::parse(const FamilyText& source) {
    const std::string path(source.text);
    if (path.empty()) {
        throw UsageError("'file' needs a path: file:PATH");
    }
    const auto parse_value = [&](std::string_view text) { return source.value_or_rate(text); };
    return {path, read_values(source.files, path, parse_value)};
}

FromFile FromFile::scaled(double factor) const {
    return {path, times(values, factor)};
}

}  // namespace groma
