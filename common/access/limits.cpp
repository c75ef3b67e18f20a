#include "common/access/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
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

constexpr double kLongestGap = 1e9;

double capped(double gap_ns) {
    return std::clamp(gap_ns, 0.0, kLongestGap);
}

/// The mean of gaps of which none counts for more than a second.
struct CappedMean {
    double operator()(const Mixture& mixture) const {
        double sum = 0;
        double weights = 0;
        for (std::size_t i = 0; i < mixture.components.size(); ++i) {
            sum += mixture.weights[i] * std::visit(*this, mixture.components[i]);
            weights += mixture.weights[i];
        }
        return sum / weights;
    }
    double operator()(const Discrete& discrete) const {
        double sum = 0;
        double weights = 0;
        for (std::size_t i = 0; i < discrete.values.size(); ++i) {
            sum += discrete.weights[i] * capped(discrete.values[i]);
            weights += discrete.weights[i];
        }
        return sum / weights;
    }
    double operator()(const FromFile& file) const {
        double sum = 0;
        for (const double value : file.values) {
            sum += capped(value);
        }
        return sum / static_cast<double>(file.values.size());
    }
    double operator()(const Greedy& /*none*/) const { return 0; }
    /// By the middles of equal shares.
    template <typename Family>
    double operator()(const Family& family) const {
        constexpr int kShares = 200;
        double sum = 0;
        for (int i = 0; i < kShares; ++i) {
            sum += capped(family.quantile(Tail::lower, (i + 0.5) / kShares));
        }
        return sum / kShares;
    }
};

/// Rare long gaps could hide bursts, and do not count. Where that makes no difference, the mean. 0: there is none.
double mean_gap_ns(const Distribution& gaps) {
    constexpr double kNoDifference = 0.95;
    const double known = std::visit(CappedMean(), gaps);
    const double mean = mean_from_0(gaps).value_or(kUnlimited);
    return known >= kNoDifference * std::min(mean, kLongestGap) ? std::max(mean, known) : known;
}

/// Draws below the smallest size are raised to it.
double mean_size(const FlowSpec& flow, const Distribution& sizes) {
    const SizeLimits limits = size_limits(flow);
    const double raised = std::holds_alternative<Constant>(sizes) ? 0 : limits.smallest;
    const double most = limits.largest;
    return std::min(mean_from_0(sizes).value_or(most) + raised, most);
}

/// Returns: false if the one that `more` has is there already.
bool take(Limits& limits, const Limits& more) {
    const auto merge = [](auto& into, const auto& from) {
        using Value = std::remove_cvref_t<decltype(into)>;
        if (from == Value()) {
            return true;
        }
        return into == Value() ? (into = from, true) : false;
    };
    return merge(limits.sessions, more.sessions) and merge(limits.flows, more.flows) and
           merge(limits.packets_per_s, more.packets_per_s) and merge(limits.bits_per_s, more.bits_per_s) and
           merge(limits.duration, more.duration) and merge(limits.to, more.to) and merge(limits.ports, more.ports);
}

std::string rate_text(double value, bool packets) {
    return to_string(packets ? Rate(PacketRate{value}) : Rate(BitRate{value}));
}

/// "at most 3 flows (flows=3), and this asks for 4".
std::string above(std::string_view what, std::string_view limit, const std::string& asked) {
    return fmt::format("{} ({}), and this asks for {}", what, limit, asked);
}

/// Six digits of it.
std::string asked_rate(double value, bool packets) {
    return value < kUnlimited ? rate_text(parse_number(fmt::format("{:.6g}", value)), packets)
                              : "one without a bound (give its flows a rate)";
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
        Limits alone;
        set(alone, one.substr(0, equals), one.substr(equals + 1));
        if (not(take(limits, alone))) {
            throw UsageError("the limit '" + plain_text(one, 40) + "' is there twice: leave one out");
        }
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

void Load::add(const FlowSpec& flow) {
    ++flows;
    const double pps = is_greedy(flow.idt) ? kUnlimited : 1e9 / mean_gap_ns(flow.idt);
    const double there = mean_size(flow, flow.size);
    const double back = flow.meter == Meter::one_way ? 0 : mean_size(flow, flow.response.value_or(flow.size));
    packets_per_s += flow.meter == Meter::one_way ? pps : 2 * pps;
    bits_per_s += pps * 8 * (there + back);
    const bool ends = flow.stop.duration and flow.start_delay <= Nanos::max() - *flow.stop.duration;
    duration =
        duration and ends ? std::optional(std::max(*duration, flow.start_delay + *flow.stop.duration)) : std::nullopt;
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
    if (not named and (address.is_multicast() or not limits.to.all.empty())) {
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
