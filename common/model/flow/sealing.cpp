#include "common/model/flow/sealing.hpp"

#include <algorithm>
#include <variant>

namespace groma {

namespace {

std::size_t smallest_of(const Distribution& size) {
    const auto bytes = [](double value) { return static_cast<std::size_t>(std::max(value, 0.0)); };
    if (const auto* constant = std::get_if<Constant>(&size)) {
        return bytes(constant->value);
    }
    if (const auto* uniform = std::get_if<Uniform>(&size)) {
        return bytes(uniform->low);
    }
    return 0;
}

bool by_default(const FlowSpec& spec) {
    return spec.seal == Sealing::automatic and spec.header == HeaderLevel::full and not none_has_room_for_seal(spec);
}

/// With the length of its frame.
std::size_t smallest_sealed(const FlowSpec& spec) {
    return is_stream(spec.transport) ? kSmallestSealed + 1 : kSmallestSealed;
}

}  // namespace

std::size_t smallest_size(const FlowSpec& spec) {
    if (is_greedy(spec.idt) and spec.stop.bytes) {
        return 0;  // the last packet has what is left
    }
    const std::size_t smallest = smallest_of(spec.size);
    return spec.response ? std::min(smallest, smallest_of(*spec.response)) : smallest;
}

bool all_have_room_for_seal(const FlowSpec& spec) {
    return smallest_size(spec) >= smallest_sealed(spec);
}

bool none_has_room_for_seal(const FlowSpec& spec) {
    const auto* const constant = std::get_if<Constant>(&spec.size);
    return constant != nullptr and constant->value < static_cast<double>(smallest_sealed(spec));
}

// Flows of one association are sealed alike, and have no packets without room.
void seal_by_default(std::vector<FlowSpec>& flows) {
    const bool shared_ones = std::ranges::all_of(flows, [](const FlowSpec& spec) {
        return not spec.options.association or (by_default(spec) and all_have_room_for_seal(spec));
    });
    for (FlowSpec& spec : flows) {
        if (by_default(spec) and (shared_ones or not spec.options.association)) {
            spec.seal = Sealing::on;
        }
    }
}

}  // namespace groma
