#include "common/model/families/value_families.hpp"

#include <algorithm>
#include <boost/random/discrete_distribution.hpp>

#include "common/base/errors.hpp"
#include "common/model/families/drawer.hpp"
#include "common/model/families/family_text.hpp"
#include "common/model/families/sample.hpp"
#include "common/model/families/weighted_values.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

Moments Discrete::moments() const {
    return weighted_moments(values, weights);
}

double Discrete::tail(Tail side, double x) const {
    return weighted_tail(values, weights, side, x);
}

double Discrete::quantile(Tail side, double probability) const {
    return weighted_quantile(values, weights, side, probability);
}

std::unique_ptr<Drawer> Discrete::drawer() const {
    boost::random::discrete_distribution<std::uint32_t, double> choice(weights);
    return drawer_of([choice, values = values](Engine& engine) { return values[choice(engine)]; });
}

std::optional<Discrete> Discrete::likeliest(const Sample& sample, std::size_t most) {
    if (sample.values.size() > std::min(most, kMaxDiscreteValues)) {
        return std::nullopt;
    }
    return Discrete{sample.values, {sample.counts.begin(), sample.counts.end()}};
}

std::string Discrete::error() const {
    if (values.empty() or values.size() != weights.size() or values.size() > kMaxDiscreteValues) {
        return "there must be between 1 and " + std::to_string(kMaxDiscreteValues) + " values, each with a weight";
    }
    const std::string error = values_error(values);
    return error.empty() ? weights_error(weights) : error;
}

Discrete Discrete::parse(const FamilyText& source) {
    Discrete discrete;
    for (const std::string_view pair : pieces(source.text, ',')) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos) {
            throw UsageError("'discrete' needs values with weights: discrete:VALUE=WEIGHT,VALUE=WEIGHT,...");
        }
        discrete.values.push_back(source.value_or_rate(pair.substr(0, equals)));
        discrete.weights.push_back(parse_number(pair.substr(equals + 1)));
    }
    return discrete;
}

std::string Discrete::to_string(DrawnKind kind) const {
    std::string text(kName);
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += i == 0 ? ':' : ',';
        text += value_to_string(values[i], kind);
        text += '=';
        text += number_to_string(weights[i]);
    }
    return text;
}

Discrete Discrete::scaled(double factor) const {
    return {times(values, factor), weights};
}

}  // namespace groma
