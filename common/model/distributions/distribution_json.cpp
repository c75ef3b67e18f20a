#include "common/model/distributions/distribution_json.hpp"

#include <array>

#include "common/json/json_record.hpp"
#include "common/model/distributions/distribution_check.hpp"
#include "common/model/text/value_file.hpp"

namespace groma {

namespace {

/// In the order of the alternatives of Distribution.
constexpr std::array<std::string_view, std::variant_size_v<Distribution>> kFamilies{
    "const", "unif",    "exp",       "normal",  "poisson",  "pareto", "cauchy",
    "gamma", "weibull", "lognormal", "student", "discrete", "file",   "mix"};

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, Constant>& d) {
    fields("value", d.value);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Uniform>& d) {
    fields("low", d.low);
    fields("high", d.high);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Exponential>& d) {
    fields("mean", d.mean);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Normal>& d) {
    fields("mean", d.mean);
    fields("deviation", d.deviation);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Poisson>& d) {
    fields("mean", d.mean);
    fields("unit", d.unit);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Pareto>& d) {
    fields("shape", d.shape);
    fields("scale", d.scale);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Cauchy>& d) {
    fields("location", d.location);
    fields("scale", d.scale);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Gamma>& d) {
    fields("shape", d.shape);
    fields("scale", d.scale);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Weibull>& d) {
    fields("shape", d.shape);
    fields("scale", d.scale);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, LogNormal>& d) {
    fields("median", d.median);
    fields("sigma", d.sigma);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, StudentT>& d) {
    fields("degrees", d.degrees);
    fields("location", d.location);
    fields("scale", d.scale);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Discrete>& d) {
    fields("values", d.values, Most{kMaxDiscreteValues});
    fields("weights", d.weights, Most{kMaxDiscreteValues});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, FromFile>& d) {
    fields("path", d.path, UpTo{kMaxPathBytes});
    fields("values", d.values, Most{kMaxFileValues});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, SimpleDistribution>& component) {
    fields.one_of("family", component, JsonNames(kFamilies).first<std::variant_size_v<SimpleDistribution>>());
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Mixture>& d) {
    fields("weights", d.weights, Most{kMaxMixtureComponents});
    fields("components", d.components, Most{kMaxMixtureComponents});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Distribution>& distribution) {
    fields.one_of("family", distribution, kFamilies);
    if constexpr (Fields::kReads) {
        const std::string mistake = parameter_mistake(distribution);
        fields.require(mistake.empty(), mistake);
    }
}

template void describe(JsonWriter&, const Distribution&);
template void describe(JsonReader&, Distribution&);

}  // namespace groma
