#include "common/model/distributions/distribution_json.hpp"

#include "common/json/json_record.hpp"
#include "common/model/distributions/distribution_check.hpp"

namespace groma {

/// A family with rules of parameters.
template <typename Fields, typename Family>
void describe(Fields& fields, Family& d) requires requires {
    Family::kParameters;
}
{
    for (const auto& parameter : Family::kParameters) {
        fields(parameter.name, d.*parameter.member);
    }
}

template <typename Fields>
void describe(Fields& fields, As<Fields, SimpleDistribution>& component) {
    fields.one_of("family", component, kNamesOf<SimpleDistribution>);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Mixture>& d) {
    fields("weights", d.weights, Most{kMaxMixtureComponents});
    fields("components", d.components, Most{kMaxMixtureComponents});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Distribution>& distribution) {
    fields.one_of("family", distribution, kNamesOf<Distribution>);
    if constexpr (Fields::kReads) {
        const std::string error = parameter_error(distribution);
        fields.require(error.empty(), error);
    }
}

template void describe(JsonWriter&, const Distribution&);
template void describe(JsonReader&, Distribution&);

}  // namespace groma
