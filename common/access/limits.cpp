#include "common/access/limits.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/base/units.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/flow/sharing.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/model/transport/port_range.hpp"
#include "common/net/channel/multicast.hpp"

namespace groma {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1 + 1e-9;
constexpr std::uint64_t kMostOfAll = 1'000'000'000;
constexpr char kBetweenNetworks = '+';
constexpr std::array<std::string_view, 6> kNames{"sessions", "flows", "rate", "duration", "to", "ports"};

std::uint64_t number(std::string_view text) {
    return parse_whole_number(text, 1, kMostOfAll);
}

void set_rate(Limits& limits, std::string_view text) {
    const Rate rate = parse_rate(text);
    if (const auto* const packets = std::get_if<PacketRate>(&rate)) {
        limits.packets_per_s = packets->pps;
    } else {
        limits.bits_per_s = std::get<BitRate>(rate).bps;
    }
}

void set(Limits& limits, std::string_view name, std::string_view value) {
    if (name == "sessions") {
        limits.sessions = number(value);
    } else if (name == "flows") {
        limits.flows = number(value);
    } else if (name == "rate") {
        set_rate(limits, value);
    } else if (name == "duration") {
        limits.duration = parse_duration(value);
    } else if (name == "to") {
        limits.to = parse_networks(value, kBetweenNetworks);
    } else if (name == "ports") {
        limits.ports = parse_port_range(value);
    } else {
        throw UsageError("there is no limit '" + plain_text(name, 40) + "': there are " + one_of(kNames) +
                         did_you_mean(name, kNames));
    }
}

std::string rate_text(double value, bool packets) {
    return to_string(packets ? Rate(PacketRate{value}) : Rate(BitRate{value}));
}

/// "more than ... (rate=...)".
std::string above(std::string_view what, std::string_view limit, const std::string& asked) {
    return fmt::format("{} ({}), and this asks for {}", what, limit, asked);
}

std::string asked_rate(double value, bool packets) {
    return value < kUnlimited ? rate_text(value, packets) : "one without a bound (give its flows a rate)";
}

}  // namespace

Limits parse_limits(std::string_view text) {
    Limits limits;
    for (const std::string_view one : split_list(text)) {
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos) {
            throw UsageError("'" + plain_text(one, 40) + "' is no limit: write NAME=VALUE, NAME one of " +
                             one_of(kNames) + ", with ',' between several");
        }
        set(limits, one.substr(0, equals), one.substr(equals + 1));
    }
    return limits;
}

std::string to_string(const Limits& limits) {
    std::vector<std::string> parts;
    const auto add = [&parts](std::string_view name, const std::string& value) {
        parts.push_back(fmt::format("{}={}", name, value));
    };
    if (limits.sessions) {
        add("sessions", std::to_string(*limits.sessions));
    }
    if (limits.flows) {
        add("flows", std::to_string(*limits.flows));
    }
    if (limits.packets_per_s) {
        add("rate", rate_text(*limits.packets_per_s, true));
    }
    if (limits.bits_per_s) {
        add("rate", rate_text(*limits.bits_per_s, false));
    }
    if (limits.duration) {
        add("duration", duration_to_string(*limits.duration));
    }
    if (not limits.to.all.empty()) {
        add("to", to_string(limits.to, kBetweenNetworks));
    }
    if (limits.ports) {
        add("ports", to_string(*limits.ports));
    }
    return fmt::format("{}", fmt::join(parts, ","));
}

// Draws below 0 are raised to 0, and sizes to the smallest, which no mean of what was written down shows. What the
// limits bound is so never more than what is added here.
void Load::add(const FlowSpec& flow) {
    ++flows;
    const auto gap = is_greedy(flow.idt) ? std::nullopt : mean_from_0(flow.idt);
    const double pps = gap and *gap > 0 ? 1e9 / *gap : kUnlimited;
    const SizeLimits sizes = size_limits(flow);
    const double most = sizes.largest;
    const double raised = smallest_size(flow) >= sizes.smallest ? 0 : sizes.smallest;
    const double size = std::min(mean_from_0(flow.size).value_or(most) + raised, most);
    packets_per_s += pps;
    bits_per_s += pps * 8 * size;
    if (not duration or not flow.stop.duration) {
        duration.reset();
    } else {
        duration = std::max(*duration, flow.start_delay + *flow.stop.duration);
    }
}

std::string excess_in_words(const Limits& limits, const Load& load) {
    if (limits.sessions and load.sessions > *limits.sessions) {
        return above(fmt::format("at most {} sessions at once", *limits.sessions),
                     fmt::format("sessions={}", *limits.sessions), fmt::format("number {}", load.sessions));
    }
    if (limits.flows and load.flows > *limits.flows) {
        return above(fmt::format("at most {} flows in a run", *limits.flows), fmt::format("flows={}", *limits.flows),
                     std::to_string(load.flows));
    }
    for (const bool packets : {true, false}) {
        const auto& most = packets ? limits.packets_per_s : limits.bits_per_s;
        const double asked = packets ? load.packets_per_s : load.bits_per_s;
        if (most and asked > *most * kRounding) {
            return above(packets ? "a mean rate of packets, of all flows together"
                                 : "a mean rate of payload, of all flows together",
                         "rate=" + rate_text(*most, packets), asked_rate(asked, packets));
        }
    }
    if (limits.duration and (not load.duration or *load.duration > *limits.duration)) {
        return above(
            "runs of a limited duration", "duration=" + duration_to_string(*limits.duration),
            load.duration ? duration_to_string(*load.duration) : "one without an end (give its flows a duration)");
    }
    return {};
}

std::string misdirection_in_words(const Limits& limits, const SocketAddress& address) {
    const bool named = limits.to.contain(address);
    if (not named and (is_multicast(address) or not limits.to.all.empty())) {
        return above(limits.to.all.empty() ? "no multicast group" : "these networks only",
                     "to=" + to_string(limits.to, kBetweenNetworks), address.host_to_string());
    }
    const PortRange ports = limits.ports.value_or(kUsualPorts);
    if (address.port() != 0 and (address.port() < ports.first or address.port() > ports.last)) {
        return above("these ports only", "ports=" + to_string(ports), std::to_string(address.port()));
    }
    return {};
}

}  // namespace groma
