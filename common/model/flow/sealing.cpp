#include "common/model/flow/sealing.hpp"

#include <algorithm>

#include "common/model/distributions/quantile.hpp"

namespace groma {

namespace {

constexpr double kHardlyAny = 1e-6;

bool has_room(const Distribution& size, Transport transport) {
    return quantile(size, kHardlyAny) >= smallest_sealed(transport);
}

/// A seal that the checksum of UDP-Lite does not cover would turn an error of a bit into a forgery.
bool may_be_damaged(const FlowSpec& spec) {
    return spec.options.coverage.value_or(0) != 0;
}

bool is_sealed_by_default(const FlowSpec& spec) {
    return spec.seal == Sealing::automatic and spec.header == HeaderLevel::full and not may_be_damaged(spec) and
           has_room(spec.size, spec.transport) and (not spec.response or has_room(*spec.response, spec.transport));
}

}  // namespace

// Flows of one association are sealed alike.
void seal_by_default(std::vector<FlowSpec>& flows) {
    const bool shared_ones = std::ranges::all_of(
        flows, [](const FlowSpec& spec) { return not spec.options.association or is_sealed_by_default(spec); });
    for (FlowSpec& spec : flows) {
        if (is_sealed_by_default(spec) and (shared_ones or not spec.options.association)) {
            spec.seal = Sealing::on;
        }
    }
}

}  // namespace groma
