#include <algorithm>
#include <boost/random/discrete_distribution.hpp>
#include <numeric>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution.hpp"
#include "common/model/families/drawer.hpp"
#include "common/model/families/parameters.hpp"
#include "common/model/families/weighted_values.hpp"

namespace groma {

namespace {

/// The position of the parenthesis that closes the one at the start of `text`.
std::size_t closing(std::string_view text) {
    std::size_t open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        open += text[i] == '(' ? 1U : 0U;
        open -= text[i] == ')' ? 1U : 0U;
        if (open == 0) {
            return i;
        }
    }
    throw UsageError("a parenthesis is not closed");
}

}  // namespace

bool Mixture::continuous() const {
    return std::ranges::all_of(components, [](const SimpleDistribution& component) {
        return std::visit([](const auto& d) { return d.continuous(); }, component);
    });
}

Moments Mixture::moments() const {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> means;
    std::optional<double> within = 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const Moments moments = std::visit([](const auto& d) { return d.moments(); }, components[i]);
        if (not moments.mean) {
            return {};
        }
        means.push_back(*moments.mean);
        within = within and moments.variance ? std::optional(*within + weights[i] / total * *moments.variance)
                                             : std::nullopt;
    }
    const Moments between = weighted_moments(means, weights);
    return {between.mean, within ? std::optional(*within + between.variance.value_or(0)) : std::nullopt};
}

std::optional<double> Mixture::mean_from_0() const {
    std::vector<double> means;
    for (const SimpleDistribution& component : components) {
        const auto mean = std::visit([](const auto& d) { return mean_from_0_of(d); }, component);
        if (not mean) {
            return std::nullopt;
        }
        means.push_back(*mean);
    }
    return weighted_moments(means, weights).mean;
}

double Mixture::tail(Tail side, double x) const {
    double total = 0;
    double sum = 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
        total += weights[i];
        sum += weights[i] * std::visit([&](const auto& d) { return d.tail(side, x); }, components[i]);
    }
    return sum / total;
}

std::unique_ptr<Drawer> Mixture::drawer() const {
    std::vector<std::unique_ptr<Drawer>> drawers;
    drawers.reserve(components.size());
    for (const SimpleDistribution& component : components) {
        drawers.push_back(std::visit([](const auto& d) { return d.drawer(); }, component));
    }
    if (drawers.size() == 1) {
        return std::move(drawers.front());
    }
    boost::random::discrete_distribution<std::uint32_t, double> choice(weights);
    return drawer_of(
        [choice, drawers = std::move(drawers)](Engine& engine) { return drawers[choice(engine)]->draw(engine); });
}

std::string Mixture::error() const {
    if (components.empty() or components.size() != weights.size() or components.size() > kMaxMixtureComponents) {
        return "there must be between 1 and " + std::to_string(kMaxMixtureComponents) +
               " components, each with a weight";
    }
    for (const SimpleDistribution& component : components) {
        if (std::string error = std::visit([](const auto& d) { return error_of(d); }, component); not error.empty()) {
            return error;
        }
    }
    return weights_error(weights);
}

/// "0.6*(exp:4ms)+0.4*(const:10ms)"
Mixture Mixture::parse(FamilyText source) {
    Mixture mixture;
    std::string_view rest = source.text;
    while (true) {
        const std::size_t start = rest.find("*(");
        if (start == std::string_view::npos) {
            throw UsageError("'mix' needs weighted components: mix:WEIGHT*(DISTRIBUTION)+WEIGHT*(DISTRIBUTION)+...");
        }
        mixture.weights.push_back(parse_number(rest.substr(0, start)));
        rest.remove_prefix(start + 1);
        const std::size_t end = closing(rest);
        source.text = rest.substr(1, end - 1);
        mixture.components.push_back(parse_simple(source));
        rest.remove_prefix(end + 1);
        if (rest.empty()) {
            return mixture;
        }
        if (not rest.starts_with('+')) {
            throw UsageError("components of a 'mix' are joined by '+', not '" + plain_text(rest, 30) + "'");
        }
        rest.remove_prefix(1);
    }
}

std::string Mixture::to_string(DrawnKind kind) const {
    std::string text(kName);
    for (std::size_t i = 0; i < components.size(); ++i) {
        text += i == 0 ? ':' : '+';
        text += number_to_string(weights[i]);
        text += "*(";
        text += std::visit([kind](const auto& d) { return text_of(d, kind); }, components[i]);
        text += ')';
    }
    return text;
}

Mixture Mixture::scaled(double factor) const {
    Mixture mixture{weights, {}};
    for (const SimpleDistribution& component : components) {
        mixture.components.push_back(
            std::visit([factor](const auto& d) { return SimpleDistribution(times(d, factor)); }, component));
    }
    return mixture;
}

std::vector<double> Mixture::exact_sizes() const {
    std::vector<double> sizes;
    for (const SimpleDistribution& component : components) {
        const std::vector<double> more = std::visit([](const auto& d) { return exact_sizes_of(d); }, component);
        sizes.insert(sizes.end(), more.begin(), more.end());
    }
    return sizes;
}

std::size_t Mixture::value_bytes() const {
    std::size_t sum = 0;
    for (const SimpleDistribution& component : components) {
        sum += sizeof(component) + std::visit([](const auto& d) { return value_bytes_of(d); }, component);
    }
    return sum;
}

}  // namespace groma
