#include "sender/options/passive_options.hpp"

#include <algorithm>
#include <charconv>

#include "common/control/messages.hpp"
#include "common/control/reach.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

namespace {

/// "PORT", "ADDRESS", "ADDRESS:PORT", "[V6]:PORT".
std::vector<SocketAddress> parse_passive(std::string_view text) {
    const bool digits = not text.empty() and text.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits) {
        std::uint16_t port = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
        if (error != std::errc()) {
            throw UsageError("'" + std::string(text) + "' is not a port: use a number from 0 to 65535");
        }
        return {SocketAddress::from_literal("0.0.0.0", port), SocketAddress::from_literal("::", port)};
    }
    const Target target = parse_target(text, kDialPort);
    return {SocketAddress::from_literal(target.host, target.control_port)};
}

Nanos parse_passive_wait(std::string_view text) {
    const Nanos wait = parse_duration(text);
    if (wait < std::chrono::seconds(1) or wait > std::chrono::hours(24)) {
        throw UsageError("'" + std::string(text) + "' is out of range: use a time from 1s to 24h");
    }
    return wait;
}

/// Why flows cannot go to a receiver that dials.
std::string dialled_error(const FlowSpec& flow) {
    if (not traits(flow.transport).dialled) {
        return "flow '" + flow.name + "': --passive cannot send " + std::string(traits(flow.transport).title) +
               ": a NAT lets in what answers a connection or a datagram of UDP; use udp, udplite, tcp, mptcp, sctp, "
               "dccp";
    }
    return called_in_error(flow, "--passive");
}

}  // namespace

std::string called_in_error(const FlowSpec& flow, std::string_view who) {
    const std::string begin = "flow '" + flow.name + "': " + std::string(who);
    if (not flow.options.source.empty()) {
        return begin + " sends from the address that the receiver has dialled: leave out the source";
    }
    if (flow.requests_per_connection) {
        return begin +
               " sends over the connection that the receiver has dialled: leave out connect_each and "
               "requests_per_connection";
    }
    if (not flow.also_to.empty()) {
        return begin + " sends a flow to one receiver: multicast does not pass a NAT";
    }
    return {};
}

void read_passive(SenderOptions& options, const OptionValue& value) {
    options.passive.emplace();
    options.passive->listen = parse_passive(value.text);
}

void read_passive_wait(SenderOptions& options, const OptionValue& value) {
    if (options.passive) {
        options.passive->wait = parse_passive_wait(value.text);
    } else {
        value.errors.add("--passive-wait requires --passive");
    }
}

void read_passive_any_source(SenderOptions& options, const OptionValue& value) {
    if (options.passive) {
        options.passive->any_source = true;
    } else {
        value.errors.add("--passive-any-source requires --passive");
    }
}

Reach passive_reach(const SenderOptions& options) {
    const bool open = not std::ranges::all_of(options.passive->listen, &SocketAddress::is_loopback);
    return {.open = open and not options.to_anyone, .to_anyone = options.to_anyone, .keys = not options.keys.empty()};
}

void check_dialled(const SenderOptions& options, UsageErrors& errors) {
    if (not options.keys.empty() and not options.passive) {
        errors.add("--keys requires --passive or --daemon: a sender that connects proves a key instead (--key FILE)");
    }
    if (options.to_anyone and not options.passive) {
        errors.add("--open-to-anyone requires --passive or --daemon: a sender that connects lets nobody in");
    }
    if (options.passive) {
        if (std::string error = reach_error(passive_reach(options), "--passive"); not error.empty()) {
            errors.add(std::move(error));
        }
    }
    if (options.passive and not options.key_file.empty() and not options.log_server) {
        errors.add("--key is for what connects: a sender with --passive asks receivers for their keys (--keys DIR)");
    }
    for (const FlowSpec& flow : options.experiment.flows) {
        if (std::string error = dialled_error(flow); options.passive and not error.empty()) {
            errors.add(std::move(error));
        }
    }
}

}  // namespace groma
