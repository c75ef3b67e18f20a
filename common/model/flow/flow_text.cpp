#include "common/model/flow/flow_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <span>
#include <system_error>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxHostBytes = 255;

// In the order of the enumerations.
constexpr std::array<std::string_view, 3> kHeaders{"full", "sequence", "none"};
constexpr std::array<std::string_view, 3> kSealings{"auto", "on", "off"};
constexpr std::array<std::string_view, 2> kGenerators{"1", "2"};
constexpr std::array<std::string_view, 2> kMeters{"one-way", "round-trip"};
constexpr std::array<std::string_view, 3> kDirections{"forward", "reverse", "both"};
constexpr std::array<std::string_view, 3> kLatenessPolicies{"catch-up", "skip", "shift"};

template <typename Enum>
Enum choice(std::string_view text, std::span<const std::string_view> names, const std::string& what) {
    const auto found = std::ranges::find(names, text);
    if (found != names.end()) {
        return static_cast<Enum>(found - names.begin());
    }
    std::string all;
    for (const std::string_view name : names) {
        all.append(name == names.front() ? "" : name == names.back() ? " or " : ", ").append(name);
    }
    throw UsageError("unknown " + what + " '" + plain_text(text, 40) + "'" + did_you_mean(text, names) + " (use " +
                     all + ")");
}

std::uint16_t parse_port(std::string_view digits, std::string_view whole) {
    unsigned port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc() or end != digits.data() + digits.size() or port < 1 or port > 65535) {
        throw UsageError("'" + plain_text(digits, 20) + "' in '" + plain_text(whole, 100) +
                         "' is not a port: a port is a number from 1 to 65535");
    }
    return static_cast<std::uint16_t>(port);
}

bool is_host_letter(char c) {
    return (c >= 'a' and c <= 'z') or (c >= 'A' and c <= 'Z') or (c >= '0' and c <= '9') or
           std::string_view(".-_:%").find(c) != std::string_view::npos;
}

std::string checked_host(std::string_view host, std::string_view whole) {
    if (host.empty() or host.size() > kMaxHostBytes or host.starts_with('-') or
        not std::ranges::all_of(host, is_host_letter)) {
        throw UsageError("'" + plain_text(whole, 100) +
                         "' does not name a host: write HOST, HOST:PORT, or [IPV6ADDRESS]:PORT");
    }
    return std::string(host);
}

/// An alias, an alias with another control port, or a host.
Target find_target(std::string_view text, const HostAliases& hosts) {
    if (const auto alias = hosts.find(text); alias != hosts.end()) {
        return alias->second;
    }
    Target target = parse_target(text);
    if (const auto alias = hosts.find(target.host); alias != hosts.end()) {
        target.host = alias->second.host;
    }
    return target;
}

}  // namespace

Target parse_target(std::string_view text, std::uint16_t usual_port) {
    Target target;
    target.control_port = usual_port;
    const auto colons = std::ranges::count(text, ':');
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        const std::string_view rest = end == std::string_view::npos ? "?" : text.substr(end + 1);
        target.host = checked_host(rest.empty() or rest.starts_with(':') ? text.substr(1, end - 1) : "", text);
        if (not rest.empty()) {
            target.control_port = parse_port(rest.substr(1), text);
        }
    } else if (colons == 1) {
        const std::size_t colon = text.find(':');
        target.host = checked_host(text.substr(0, colon), text);
        target.control_port = parse_port(text.substr(colon + 1), text);
    } else {
        target.host = checked_host(text, text);
    }
    return target;
}

void set_receivers(FlowSpec& spec, std::string_view text, const HostAliases& hosts) {
    const std::vector<std::string_view> names = split_list(text);
    std::vector<Target> targets;
    targets.reserve(names.size());
    for (const std::string_view name : names) {
        targets.push_back(find_target(name, hosts));
    }
    const std::string first =
        hosts.contains(names.front()) ? std::string(names.front()) : parse_target(names.front()).host;
    targets.front().data_port = spec.target.data_port;
    spec.target = targets.front();
    spec.also_to.assign(targets.begin() + 1, targets.end());
    spec.to_host = hosts.contains(first) ? first : "";
}

HeaderLevel parse_header(std::string_view text) {
    return choice<HeaderLevel>(text, kHeaders, "header level");
}

std::string_view to_string(HeaderLevel level) {
    return kHeaders.at(static_cast<std::size_t>(level));
}

Sealing parse_sealing(std::string_view text) {
    return choice<Sealing>(text, kSealings, "seal");
}

std::string_view to_string(Sealing seal) {
    return kSealings.at(static_cast<std::size_t>(seal));
}

Meter parse_meter(std::string_view text) {
    return choice<Meter>(text, kMeters, "meter");
}

std::string_view to_string(Meter meter) {
    return kMeters.at(static_cast<std::size_t>(meter));
}

Direction parse_direction(std::string_view text) {
    return choice<Direction>(text, kDirections, "direction");
}

std::string_view to_string(Direction direction) {
    return kDirections.at(static_cast<std::size_t>(direction));
}

LatenessPolicy parse_lateness(std::string_view text) {
    return choice<LatenessPolicy>(text, kLatenessPolicies, "policy for late packets");
}

std::string_view to_string(LatenessPolicy policy) {
    return kLatenessPolicies.at(static_cast<std::size_t>(policy));
}

Generator parse_generator(std::string_view text) {
    return choice<Generator>(text, kGenerators, "generator of random numbers");
}

std::string_view to_string(Generator generator) {
    return kGenerators.at(static_cast<std::size_t>(generator));
}

std::string parse_payload(std::string_view text, const NamedFiles& files) {
    constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
    constexpr std::size_t kLongest = 4096;
    if (text.size() > kLongest) {
        throw UsageError("the payload is longer than 4096 characters: put it in a file, file:PATH");
    }
    if (text == "zero" or text == "random") {
        return std::string(text);
    }
    for (const std::string_view kind : {"file:", "pcap:"}) {
        if (text.starts_with(kind) and text.size() > kind.size()) {
            std::string payload = std::string(kind) + files.path(text.substr(kind.size()));
            if (payload.size() > kLongest) {
                throw UsageError("the path of the payload '" + plain_text(text, 60) +
                                 "' is longer than 4096 characters");
            }
            return payload;
        }
    }
    constexpr std::string_view kPattern = "pattern:";
    if (text.starts_with(kPattern)) {
        const std::string_view digits = text.substr(kPattern.size());
        if (digits.empty() or digits.size() % 2 != 0 or
            digits.find_first_not_of(kHexDigits) != std::string_view::npos) {
            throw UsageError("'" + plain_text(text, 60) +
                             "' is not a pattern: write pairs of hexadecimal digits, such as pattern:00ff");
        }
        return std::string(text);
    }
    throw UsageError("'" + plain_text(text, 60) +
                     "' is not a payload: write zero, random, pattern:HEX, file:PATH or pcap:PATH");
}

std::string to_string(const Target& target) {
    const bool v6 = target.host.find(':') != std::string::npos;
    return (v6 ? "[" + target.host + "]" : target.host) + ":" + std::to_string(target.control_port);
}

std::string gaps_to_string(const FlowSpec& spec) {
    if (spec.in_flight > 0) {
        const std::string loop = std::to_string(spec.in_flight) + " in flight";
        return spec.think ? loop + ", think " + period_to_string(*spec.think) : loop;
    }
    const std::string gaps = idt_to_string(spec.idt);
    if (spec.rate_over_time) {
        return gaps + " at the highest rate of " + to_string(*spec.rate_over_time);
    }
    return spec.on_off
               ? gaps + ", ON " + period_to_string(spec.on_off->on) + ", OFF " + period_to_string(spec.on_off->off)
               : gaps;
}

std::string sizes_to_string(const FlowSpec& spec) {
    const std::string sizes = size_to_string(spec.size);
    return spec.response ? sizes + ", response " + size_to_string(*spec.response) : sizes;
}

}  // namespace groma
