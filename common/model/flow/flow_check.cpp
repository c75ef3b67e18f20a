// validate(): what the parsers of single values cannot see (common/model/flow/flow_text.hpp).
#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_check.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/families/parameters.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/sharing.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

using Mistakes = std::vector<std::string>;

// With shorter ON periods almost every period is empty, and finding the next departure takes as many draws.
constexpr double kEmptyPeriodsPerGap = 1000;

void check_stop(const StopRule& stop, Mistakes& mistakes) {
    if (not stop.duration and not stop.packets and not stop.bytes) {
        mistakes.emplace_back("the flow never stops: give a duration, a number of packets, or a number of bytes");
    }
    if (stop.duration and *stop.duration <= Nanos{0}) {
        mistakes.emplace_back("the duration must be above 0");
    }
    if (stop.packets and *stop.packets == 0) {
        mistakes.emplace_back("the number of packets must be above 0");
    }
    if (stop.bytes and stop.bytes->count == 0) {
        mistakes.emplace_back("the number of bytes must be above 0");
    }
}

/// A time and a sum of times are bounded alike, so that nobody who adds to them overflows.
void check_end(const FlowSpec& spec, Mistakes& mistakes) {
    constexpr Nanos kLatest{std::int64_t{1} << 62U};
    if (spec.start_delay > kLatest - spec.stop.duration.value_or(Nanos{0})) {
        mistakes.emplace_back("the flow would end more than 146 years after the start of the run");
    }
}

/// "100000" and not "1e+05": users are told what they wrote.
std::string without_exponent(double size) {
    constexpr double kExact = 1e15;
    return size == std::round(size) and std::abs(size) < kExact ? std::to_string(std::llround(size))
                                                                : number_to_string(size);
}

void check_sizes(const FlowSpec& spec, Mistakes& mistakes) {
    const SizeLimits limits = size_limits(spec);
    // What was asked for exactly must be possible exactly.
    for (const double size : std::visit([](const auto& d) { return exact_sizes_of(d); }, spec.size)) {
        const std::string text = "a payload of " + without_exponent(size) + " bytes ";
        if (size != std::round(size)) {
            mistakes.push_back(text + "is not a whole number");
            return;
        }
        if (size < limits.smallest or size > limits.largest) {
            mistakes.push_back(text + "cannot be sent over " + std::string(to_string(spec.transport)) +
                               (shares_datagrams(spec) ? " by a flow that shares its socket (association)" : "") +
                               ": sizes are from " + std::to_string(limits.smallest) + " to " +
                               std::to_string(limits.largest));
            return;
        }
    }
}

void check_parameters(std::string_view name, const Distribution& distribution, Mistakes& mistakes) {
    if (const std::string mistake = parameter_mistake(distribution); not mistake.empty()) {
        mistakes.push_back(std::string(name) + ": " + mistake);
    }
}

void check_periods(const FlowSpec& spec, Mistakes& mistakes) {
    check_parameters("ON periods", spec.on_off->on, mistakes);
    check_parameters("OFF periods", spec.on_off->off, mistakes);
    if (not mistakes.empty()) {
        return;
    }
    const auto on = mean(spec.on_off->on);
    const auto gap = mean(spec.idt);
    if (on and gap and *gap > *on * kEmptyPeriodsPerGap) {
        mistakes.push_back("ON periods of " + time_to_string(*on) + " are too short for gaps of " +
                           time_to_string(*gap) + ": hardly any would see a packet");
    }
}

bool has_control_characters(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 or c == 0x7f; });
}

void check_names(const FlowSpec& spec, Mistakes& mistakes) {
    constexpr std::size_t kMaxNameBytes = 255;
    if (spec.name.size() > kMaxNameBytes or has_control_characters(spec.name)) {
        mistakes.push_back("the name '" + plain_text(spec.name, 40) +
                           "' is too long (255 bytes at most) or has control characters");
    }
    if (spec.target.host.empty()) {
        mistakes.emplace_back("the flow goes nowhere: name the receiver's host");
    }
    if (spec.target.control_port == 0 or spec.target.data_port == std::uint16_t{0}) {
        mistakes.emplace_back("a port is a number from 1 to 65535");
    }
}

}  // namespace

std::size_t value_bytes(const FlowSpec& spec) {
    const auto of = [](const Distribution& distribution) {
        return std::visit([](const auto& d) { return value_bytes_of(d); }, distribution);
    };
    return of(spec.idt) + of(spec.size) + (spec.on_off ? of(spec.on_off->on) + of(spec.on_off->off) : 0);
}

std::vector<std::string> validate(const FlowSpec& spec) {
    Mistakes mistakes;
    check_names(spec, mistakes);
    check_stop(spec.stop, mistakes);
    check_end(spec, mistakes);
    if (spec.start_delay < Nanos{0}) {
        mistakes.emplace_back("the start must not be negative");
    }
    check_parameters("inter-departure times", spec.idt, mistakes);
    check_parameters("sizes", spec.size, mistakes);
    check_sizes(spec, mistakes);
    if (not spec.also_to.empty() and spec.options.group.empty()) {
        mistakes.emplace_back("several receivers take the same packets only from a multicast group: name it (group)");
    }
    if (spec.meter == Meter::round_trip and not spec.options.group.empty()) {
        mistakes.emplace_back("the round-trip meter measures one receiver, and this flow goes to a multicast group");
    }
    const std::vector<std::string> unshared = faults_of_sharing(spec);
    mistakes.insert(mistakes.end(), unshared.begin(), unshared.end());
    if (spec.meter == Meter::round_trip and not traits(spec.transport).round_trips) {
        mistakes.emplace_back(std::string(traits(spec.transport).title) +
                              " has no round-trip meter: use another transport");
    }
    const std::vector<std::string> more = faults(spec.options, spec.transport);
    mistakes.insert(mistakes.end(), more.begin(), more.end());
    if (spec.on_off) {
        check_periods(spec, mistakes);
    }
    return mistakes;
}

}  // namespace groma
