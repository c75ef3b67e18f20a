#include "common/model/families/parametric_families.hpp"

#include <algorithm>
#include <boost/random/poisson_distribution.hpp>
#include <cmath>

#include "common/model/families/drawer.hpp"
#include "common/model/families/family_text.hpp"
#include "common/model/families/incomplete_gamma.hpp"
#include "common/model/families/math_distribution.hpp"
#include "common/model/families/sample.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

double default_unit(DrawnKind kind) {
    return kind == DrawnKind::size ? 1 : 1e6;
}

/// Not drawer_of(), which moves: it would copy members of Boost's distribution that stay uninitialised for some means.
class PoissonDrawer final : public Drawer {
public:
    explicit PoissonDrawer(const Poisson& d) : count_(d.mean), unit_(d.unit) {}
    double draw(Engine& engine) noexcept override { return unit_ * static_cast<double>(count_(engine)); }

private:
    boost::random::poisson_distribution<std::int64_t, double> count_;
    double unit_;
};

}  // namespace

/// At most `count` events before the time `mean`: the event after them, whose time has a gamma distribution, is later.
double Poisson::tail(Tail side, double x) const {
    double count = std::floor(x / unit);
    count += (count + 1) * unit <= x ? 1 : 0;  // the quotient of a multiple of the unit can be rounded down
    return count < 0 ? tail_below_all(side)
                     : gamma_tail(side == Tail::lower ? Tail::upper : Tail::lower, count + 1, mean);
}

/// Doubles its steps from the mean on and then halves them: some log2(sqrt(mean)) tails each.
double Poisson::quantile(Tail side, double probability) const {
    constexpr int kDoublings = 64;
    const auto reached_at = [&](double count) {
        const double there = tail(side, count * unit);
        return side == Tail::upper ? there <= probability : there >= probability;
    };
    double step = std::ceil(std::sqrt(mean));
    double high = std::ceil(mean);
    double low = high;
    if (reached_at(high)) {
        for (int i = 0; i < kDoublings and low >= 0 and reached_at(low); ++i, step *= 2) {
            high = low;
            low = std::max(low - step, -1.0);
        }
    } else {
        for (int i = 0; i < kDoublings and not reached_at(high); ++i, step *= 2) {
            low = high;
            high += step;
        }
    }
    while (high - low > 1) {
        const double middle = std::floor(low + (high - low) / 2);
        (reached_at(middle) ? high : low) = middle;
    }
    return high * unit;
}

/// ln of the probability of x over the unit; x must be one of the values.
double Poisson::log_density(double x) const {
    const double count = std::round(x / unit);
    return count < 0 ? kNever : count * std::log(mean) - mean - std::lgamma(count + 1) - std::log(unit);
}

std::unique_ptr<Drawer> Poisson::drawer() const {
    return std::make_unique<PoissonDrawer>(*this);
}

std::optional<Poisson> Poisson::likeliest(const Sample& sample) {
    return Poisson{sample.mean() / sample.resolution, sample.resolution};
}

/// "MEAN:UNIT" with the mean as a value, or as a multiple of the unit ("12.5x").
Poisson Poisson::parse(const FamilyText& source) {
    const auto parts = source.parameters(1, 2, "one or two values: poisson:MEAN[:UNIT]");
    const double unit = parts.size() == 2 ? source.value(parts[1]) : default_unit(source.kind);
    if (parts[0].ends_with('x')) {
        return {parse_number(parts[0].substr(0, parts[0].size() - 1)), unit};
    }
    return {source.value(parts[0], true) / unit, unit};
}

std::string Poisson::to_string(DrawnKind kind) const {
    // The product can be one rounding away from the double that divides back to the mean.
    const double product = mean * unit;
    std::string text = number_to_string(mean) + "x";
    for (const double candidate : {product, std::nextafter(product, 0.0), std::nextafter(product, 2 * product)}) {
        if (candidate / unit == mean and candidate <= kLargestValue) {
            text = value_to_string(candidate, kind);
            break;
        }
    }
    text.insert(0, "poisson:");
    return unit == default_unit(kind) ? text : text + ":" + value_to_string(unit, kind);
}

}  // namespace groma
