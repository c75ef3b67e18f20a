#include "common/model/families/parametric_families.hpp"

#include <algorithm>
#include <cmath>

#include "common/model/families/drawer.hpp"
#include "common/model/families/family_text.hpp"
#include "common/model/families/math_distribution.hpp"
#include "common/model/families/sample.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

double Uniform::tail(Tail side, double x) const {
    return std::clamp((side == Tail::lower ? x - low : high - x) / (high - low), 0.0, 1.0);
}

double Uniform::quantile(Tail side, double probability) const {
    const double part = probability * (high - low);
    return side == Tail::upper ? high - part : low + part;
}

double Uniform::log_density(double x) const {
    return x < low or x > high ? kNever : -std::log(high - low);
}

std::unique_ptr<Drawer> Uniform::drawer() const {
    return drawer_of([d = *this](Engine& engine) { return d.low + (d.high - d.low) * unit_draw(engine); });
}

std::optional<Uniform> Uniform::likeliest(const Sample& sample) {
    if (sample.values.size() < 2) {
        return std::nullopt;
    }
    const double half = sample.resolution / 2;
    return Uniform{std::max(sample.values.front() - half, 0.0), sample.values.back() + half};
}

Uniform Uniform::parse(const FamilyText& source) {
    const auto parts = source.parameters(2, 2, "two values: unif:LOW:HIGH");
    const double first = source.value_or_rate(parts[0]);
    const double second = source.value_or_rate(parts[1]);
    const bool rates = is_rate(parts[0]) and is_rate(parts[1]);
    return rates ? Uniform{second, first} : Uniform{first, second};
}

std::vector<double> Uniform::exact_sizes() const {
    return {std::round(low), std::ceil(high - 0.5)};
}

}  // namespace groma
