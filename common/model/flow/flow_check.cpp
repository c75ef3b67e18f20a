// validate(): errors that the parsers of single values cannot see (common/model/flow/flow_text.hpp).
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

using UsageErrors = std::vector<std::string>;

// With shorter ON periods almost every period is empty, and the next departure takes as many draws to find.
constexpr double kEmptyPeriodsPerGap = 1000;

void check_stop(const StopRule& stop, UsageErrors& errors) {
    if (not stop.duration and not stop.packets and not stop.bytes) {
        errors.emplace_back("the flow never stops: give a duration, a number of packets, or a number of bytes");
    }
    if (stop.duration and *stop.duration <= Nanos{0}) {
        errors.emplace_back("the duration must be above 0");
    }
    if (stop.packets and *stop.packets == 0) {
        errors.emplace_back("the number of packets must be above 0");
    }
    if (stop.bytes and stop.bytes->count == 0) {
        errors.emplace_back("the number of bytes must be above 0");
    }
}

/// The bound of one time also holds for this sum, so that later additions do not overflow.
void check_end(const FlowSpec& spec, UsageErrors& errors) {
    constexpr Nanos kLatest{std::int64_t{1} << 62U};
    if (spec.start_delay > kLatest - spec.stop.duration.value_or(Nanos{0})) {
        errors.emplace_back("the flow would end more than 146 years after the start of the run");
    }
}

/// "100000", not "1e+05": messages show what the user wrote.
std::string without_exponent(double size) {
    constexpr double kExact = 1e15;
    return size == std::round(size) and std::abs(size) < kExact ? std::to_string(std::llround(size))
                                                                : number_to_string(size);
}

std::string_view who_has_limits(const FlowSpec& spec) {
    if (spec.seal == Sealing::on) {
        return " by a sealed flow";
    }
    if (shares_datagrams(spec)) {
        return " by a flow that shares its socket (association)";
    }
    return has_transactions(spec) ? " as a request or a response, which say which one they are" : "";
}

void check_sizes(const FlowSpec& spec, const Distribution& sizes, UsageErrors& errors) {
    const SizeLimits limits = size_limits(spec);
    // Sizes that were asked for exactly must be possible exactly.
    for (const double size : std::visit([](const auto& d) { return exact_sizes_of(d); }, sizes)) {
        const std::string text = "a payload of " + without_exponent(size) + " bytes ";
        if (size != std::round(size)) {
            errors.push_back(text + "is not a whole number");
            return;
        }
        if (size < limits.smallest or size > limits.largest) {
            errors.push_back(text + "cannot be sent over " + std::string(to_string(spec.transport)) +
                             std::string(who_has_limits(spec)) + ": sizes are from " + std::to_string(limits.smallest) +
                             " to " + std::to_string(limits.largest));
            return;
        }
    }
}

void check_parameters(std::string_view name, const Distribution& distribution, UsageErrors& errors) {
    if (const std::string error = parameter_error(distribution); not error.empty()) {
        errors.push_back(std::string(name) + ": " + error);
    }
}

void check_periods(const FlowSpec& spec, UsageErrors& errors) {
    check_parameters("ON periods", spec.on_off->on, errors);
    check_parameters("OFF periods", spec.on_off->off, errors);
    if (not errors.empty()) {
        return;
    }
    const auto on = mean(spec.on_off->on);
    const auto gap = mean(spec.idt);
    if (on and gap and *gap > *on * kEmptyPeriodsPerGap) {
        errors.push_back("ON periods of " + time_to_string(*on) + " are too short for gaps of " + time_to_string(*gap) +
                         ": hardly any would see a packet");
    }
}

/// What a flow that goes as fast as possible cannot have.
void check_greedy(const FlowSpec& spec, UsageErrors& errors) {
    const std::string flow = spec.in_flight > 0 ? "a flow that sends when a response has come (a closed loop) "
                                                : "a flow that goes as fast as possible (idt max) ";
    const auto refuse = [&errors, &flow](bool given, const std::string& what) {
        if (given) {
            errors.push_back(flow + what);
        }
    };
    refuse(spec.on_off.has_value(), "has no ON and OFF periods: give it a rate, or leave them out");
    refuse(spec.rate_over_time.has_value(), "has no rate: leave one of them out");
    refuse(spec.meter == Meter::round_trip and spec.in_flight == 0,
           "has no round-trip meter, which would measure the queue of its own socket: give it a rate, or let a number "
           "of packets wait for their replies (in_flight)");
    refuse(spec.lateness != LatenessPolicy::catch_up, "is never late: leave the lateness policy out");
    refuse(spec.options.departure_lead.value_or(Nanos{0}) > Nanos{0},
           "has no departure times for the kernel: give it a rate");
    refuse(spec.options.association.has_value(), "takes an association, or a socket, of its own");
}

void check_seal(const FlowSpec& spec, UsageErrors& errors) {
    if (spec.seal == Sealing::on and spec.header != HeaderLevel::full) {
        errors.emplace_back("a seal stands behind the complete header: leave the header full, or the seal out");
    }
}

/// What requests and responses need.
void check_transactions(const FlowSpec& spec, UsageErrors& errors) {
    if (has_transactions(spec) and spec.meter != Meter::round_trip) {
        errors.emplace_back("responses are what the round-trip meter measures: use meter round-trip");
    }
    if (has_transactions(spec) and spec.header != HeaderLevel::full) {
        errors.emplace_back("requests and responses say which one they are: leave the header full");
    }
    if (spec.in_flight > 0 and not is_greedy(spec.idt)) {
        errors.emplace_back(
            "requests that wait for responses (in_flight) have no departures of their own: leave out idt, rate and "
            "profile, or in_flight");
    }
    if (spec.think and spec.in_flight == 0) {
        errors.emplace_back(
            "the time from a response to the next request (think) is of requests that wait for responses: leave out "
            "idt, rate and profile, or think");
    }
    if (spec.response_timeout and spec.in_flight == 0) {
        errors.emplace_back(
            "the patience for a response (response_timeout) is of requests that wait for responses: leave out idt, "
            "rate and profile, or response_timeout");
    }
    if (spec.response_timeout and *spec.response_timeout <= Nanos{0}) {
        errors.emplace_back("the patience for a response (response_timeout) must be above 0");
    }
    if (spec.response) {
        check_parameters("sizes of responses", *spec.response, errors);
        check_sizes(spec, *spec.response, errors);
    }
    if (spec.think) {
        check_parameters("think times", *spec.think, errors);
    }
}

/// What connections for some requests each need.
void check_connections(const FlowSpec& spec, UsageErrors& errors) {
    check_parameters("requests of a connection", *spec.requests_per_connection, errors);
    if (not is_stream(spec.transport)) {
        errors.push_back(
            "connections for some requests each (connect_each, requests_per_connection) are made over tcp "
            "or mptcp, and not over " +
            std::string(to_string(spec.transport)));
    }
    if (spec.in_flight != 1) {
        errors.emplace_back(
            "connections for some requests each (connect_each, requests_per_connection) carry one request at a time, "
            "which waits for its response: leave out idt, rate, profile and in_flight; more flows (count) make more "
            "connections at a time");
    }
    for (const double count :
         std::visit([](const auto& d) { return exact_sizes_of(d); }, *spec.requests_per_connection)) {
        if (count < 1 or count != std::round(count)) {
            errors.emplace_back("the requests of a connection are a whole number, at least 1");
            return;
        }
    }
}

void check_rate_over_time(const FlowSpec& spec, UsageErrors& errors) {
    const std::vector<RatePiece>& pieces = spec.rate_over_time->pieces;
    if (not pieces.empty() and pieces.back().to == 0 and not spec.stop.duration) {
        errors.emplace_back("the rate stays at 0 at its end, so that the flow may never end: give it a duration");
    }
    if (const std::string error = spec.rate_over_time->error(); not error.empty()) {
        errors.push_back("rate: " + error);
    }
    if (spec.on_off) {
        errors.emplace_back(
            "a rate over time goes without ON and OFF periods: leave them out, or write them as steps of 0pps");
    }
}

bool has_control_characters(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 or c == 0x7f; });
}

void check_names(const FlowSpec& spec, UsageErrors& errors) {
    constexpr std::size_t kMaxNameBytes = 255;
    if (spec.name.size() > kMaxNameBytes or has_control_characters(spec.name)) {
        errors.push_back("the name '" + plain_text(spec.name, 40) +
                         "' is too long (255 bytes at most) or has control characters");
    }
    if (spec.target.host.empty()) {
        errors.emplace_back("the flow goes nowhere: name the receiver's host");
    }
    if (spec.target.control_port == 0 or spec.target.data_port == std::uint16_t{0}) {
        errors.emplace_back("a port is a number from 1 to 65535");
    }
}

/// With a host's name of middling length.
constexpr std::size_t kBytesOfTarget = sizeof(Target) + 32;

}  // namespace

std::size_t value_bytes(const FlowSpec& spec) {
    const auto of = [](const Distribution& distribution) {
        return std::visit([](const auto& d) { return value_bytes_of(d); }, distribution);
    };
    return of(spec.idt) + (spec.rate_over_time ? spec.rate_over_time->value_bytes() : 0) + of(spec.size) +
           (spec.response ? of(*spec.response) : 0) + (spec.think ? of(*spec.think) : 0) +
           (spec.requests_per_connection ? of(*spec.requests_per_connection) : 0) +
           (spec.on_off ? of(spec.on_off->on) + of(spec.on_off->off) : 0) + spec.payload.size() +
           spec.also_to.size() * kBytesOfTarget;
}

std::vector<std::string> validate(const FlowSpec& spec) {
    UsageErrors errors;
    check_names(spec, errors);
    check_stop(spec.stop, errors);
    check_end(spec, errors);
    if (spec.start_delay < Nanos{0}) {
        errors.emplace_back("the start must not be negative");
    }
    check_parameters("inter-departure times", spec.idt, errors);
    check_parameters("sizes", spec.size, errors);
    check_sizes(spec, spec.size, errors);
    check_seal(spec, errors);
    check_transactions(spec, errors);
    if (not spec.also_to.empty() and spec.options.group.empty()) {
        errors.emplace_back("several receivers take the same packets only from a multicast group: name it (group)");
    }
    if (spec.meter == Meter::round_trip and not spec.options.group.empty()) {
        errors.emplace_back("the round-trip meter measures one receiver, and this flow goes to a multicast group");
    }
    const std::vector<std::string> unshared = sharing_errors(spec);
    errors.insert(errors.end(), unshared.begin(), unshared.end());
    if (spec.meter == Meter::round_trip and spec.options.arrival_stamps == StampSource::hardware) {
        errors.emplace_back(
            "the round-trip meter takes off how long the receiver held a packet, by one clock: arrival_stamps hardware "
            "is another one; use kernel");
    }
    if (spec.meter == Meter::round_trip and not traits(spec.transport).round_trips) {
        errors.emplace_back(std::string(traits(spec.transport).title) +
                            " has no round-trip meter: use another transport");
    }
    const auto is_max = [](const std::optional<Distribution>& of) { return of and is_greedy(*of); };
    if (is_greedy(spec.size) or is_max(spec.response) or is_max(spec.think) or is_max(spec.requests_per_connection) or
        (spec.on_off and (is_greedy(spec.on_off->on) or is_greedy(spec.on_off->off)))) {
        errors.emplace_back("'max' is only for inter-departure times");
    }
    if (is_greedy(spec.idt)) {
        check_greedy(spec, errors);
    }
    if (spec.requests_per_connection) {
        check_connections(spec, errors);
    }
    if (spec.rate_over_time) {
        check_rate_over_time(spec, errors);
    }
    const std::vector<std::string> more = option_errors(spec.options, spec.transport);
    errors.insert(errors.end(), more.begin(), more.end());
    if (spec.on_off) {
        check_periods(spec, errors);
    }
    return errors;
}

}  // namespace groma
