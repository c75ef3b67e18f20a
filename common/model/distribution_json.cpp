#include "common/model/distribution_json.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distribution_check.hpp"
#include "common/model/json_field.hpp"

namespace groma {

namespace {

using nlohmann::json;

struct ToJson {
    json operator()(const Constant& d) const { return {{"family", "const"}, {"value", d.value}}; }
    json operator()(const Uniform& d) const { return {{"family", "unif"}, {"low", d.low}, {"high", d.high}}; }
    json operator()(const Exponential& d) const { return {{"family", "exp"}, {"mean", d.mean}}; }
    json operator()(const Normal& d) const {
        return {{"family", "normal"}, {"mean", d.mean}, {"deviation", d.deviation}};
    }
    json operator()(const Poisson& d) const { return {{"family", "poisson"}, {"mean", d.mean}, {"unit", d.unit}}; }
    json operator()(const Pareto& d) const { return {{"family", "pareto"}, {"shape", d.shape}, {"scale", d.scale}}; }
    json operator()(const Cauchy& d) const {
        return {{"family", "cauchy"}, {"location", d.location}, {"scale", d.scale}};
    }
    json operator()(const Gamma& d) const { return {{"family", "gamma"}, {"shape", d.shape}, {"scale", d.scale}}; }
    json operator()(const Weibull& d) const { return {{"family", "weibull"}, {"shape", d.shape}, {"scale", d.scale}}; }
    json operator()(const LogNormal& d) const {
        return {{"family", "lognormal"}, {"median", d.median}, {"sigma", d.sigma}};
    }
    json operator()(const StudentT& d) const {
        return {{"family", "student"}, {"degrees", d.degrees}, {"location", d.location}, {"scale", d.scale}};
    }
    json operator()(const Discrete& d) const {
        return {{"family", "discrete"}, {"values", d.values}, {"weights", d.weights}};
    }
    json operator()(const FromFile& d) const { return {{"family", "file"}, {"path", d.path}, {"values", d.values}}; }
    json operator()(const Mixture& d) const {
        json components = json::array();
        for (const SimpleDistribution& component : d.components) {
            components.push_back(std::visit(*this, component));
        }
        return {{"family", "mix"}, {"weights", d.weights}, {"components", std::move(components)}};
    }
};

struct Family {
    std::string_view name;
    SimpleDistribution (*read)(const json&);
};

double number(const json& object, std::string_view name) {
    return number_field(object, name);
}

constexpr std::array kFamilies = {
    Family{"const", [](const json& o) -> SimpleDistribution { return Constant{number(o, "value")}; }},
    Family{"unif",
           [](const json& o) -> SimpleDistribution {
               return Uniform{number(o, "low"), number(o, "high")};
           }},
    Family{"exp", [](const json& o) -> SimpleDistribution { return Exponential{number(o, "mean")}; }},
    Family{"normal",
           [](const json& o) -> SimpleDistribution {
               return Normal{number(o, "mean"), number(o, "deviation")};
           }},
    Family{"poisson",
           [](const json& o) -> SimpleDistribution {
               return Poisson{number(o, "mean"), number(o, "unit")};
           }},
    Family{"pareto",
           [](const json& o) -> SimpleDistribution {
               return Pareto{number(o, "shape"), number(o, "scale")};
           }},
    Family{"cauchy",
           [](const json& o) -> SimpleDistribution {
               return Cauchy{number(o, "location"), number(o, "scale")};
           }},
    Family{"gamma",
           [](const json& o) -> SimpleDistribution {
               return Gamma{number(o, "shape"), number(o, "scale")};
           }},
    Family{"weibull",
           [](const json& o) -> SimpleDistribution {
               return Weibull{number(o, "shape"), number(o, "scale")};
           }},
    Family{"lognormal",
           [](const json& o) -> SimpleDistribution {
               return LogNormal{number(o, "median"), number(o, "sigma")};
           }},
    Family{"student",
           [](const json& o) -> SimpleDistribution {
               return StudentT{number(o, "degrees"), number(o, "location"), number(o, "scale")};
           }},
    Family{"discrete",
           [](const json& o) -> SimpleDistribution {
               return Discrete{numbers_field(o, "values", kMaxDiscreteValues),
                               numbers_field(o, "weights", kMaxDiscreteValues)};
           }},
    Family{"file", [](const json& o) -> SimpleDistribution {
               return FromFile{string_field(o, "path", kMaxPathBytes), numbers_field(o, "values", kMaxFileValues)};
           }}};

std::string family_of(const json& object) {
    constexpr std::size_t kMaxFamilyBytes = 32;
    return string_field(object, "family", kMaxFamilyBytes);
}

SimpleDistribution read_simple(const json& object) {
    const std::string name = family_of(object);
    for (const Family& family : kFamilies) {
        if (family.name == name) {
            return family.read(object);
        }
    }
    throw UsageError("there is no distribution '" + plain_text(name) + "'");
}

Mixture read_mixture(const json& object) {
    Mixture mixture{numbers_field(object, "weights", kMaxMixtureComponents), {}};
    const json& components = required_field(object, "components");
    if (not components.is_array() or components.size() > kMaxMixtureComponents) {
        throw UsageError("field 'components' is not an array of at most " + std::to_string(kMaxMixtureComponents));
    }
    for (const json& component : components) {
        mixture.components.push_back(read_simple(component));
    }
    return mixture;
}

}  // namespace

json to_json(const Distribution& distribution) {
    return std::visit(ToJson{}, distribution);
}

Distribution distribution_from_json(const json& object, const std::string& field) {
    try {
        Distribution distribution =
            family_of(object) == "mix"
                ? Distribution{read_mixture(object)}
                : std::visit([](auto&& family) { return Distribution{std::forward<decltype(family)>(family)}; },
                             read_simple(object));
        if (const std::string mistake = parameter_mistake(distribution); not mistake.empty()) {
            throw UsageError(mistake);
        }
        return distribution;
    } catch (const UsageError& error) {
        throw UsageError("field '" + field + "': " + error.what());
    }
}

}  // namespace groma
