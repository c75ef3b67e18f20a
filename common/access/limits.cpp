#include "common/access/limits.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/base/units.hpp"
#include "common/model/text/human.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

constexpr double kRounding = 1 + 1e-9;
constexpr std::uint64_t kMostOfAll = 1'000'000'000;
constexpr char kBetweenNetworks = '+';

std::uint64_t parse_count(std::string_view text) {
    return parse_whole_number(text, 1, kMostOfAll);
}

std::string count_text(std::uint64_t count) {
    return std::to_string(count);
}

/// Nothing: it is a rate of the other kind.
template <typename Kind, double Kind::*kValue>
std::optional<double> parse_rate_of(std::string_view text) {
    const Rate rate = parse_rate(text);
    const auto* const found = std::get_if<Kind>(&rate);
    return found != nullptr ? std::optional(found->*kValue) : std::nullopt;
}

template <typename Kind>
std::string rate_text(double value) {
    return to_string(Rate(Kind{value}));
}

Networks parse_destinations(std::string_view text) {
    return parse_networks(text, kBetweenNetworks);
}

Bytes parse_room(std::string_view text) {
    const Bytes room = parse_bytes(text);
    if (room == Bytes{0}) {
        throw UsageError("'" + plain_text(text, 40) + "' is no room: give at least 1 byte");
    }
    return room;
}

std::string room_text(Bytes room) {
    return to_string(room);
}

std::string destinations_text(const Networks& to) {
    return to_string(to, kBetweenNetworks);
}

std::string ports_text(const PortRange& ports) {
    return to_string(ports);
}

/// A limit by its name. Those of one name are told apart by their values.
struct LimitRow {
    enum class Taken : std::uint8_t { yes, is_another, is_there };

    std::string_view name;
    /// Throws: UsageError.
    Taken (*take)(Limits& limits, std::string_view value);
    /// Empty: there is no such limit.
    std::string (*value)(const Limits& limits);
};

const auto& value_of(const auto& limit) {
    if constexpr (requires { *limit; }) {
        return *limit;
    } else {
        return limit;
    }
}

template <auto kLimit, auto kParse, auto kText>
constexpr LimitRow limit_row(std::string_view name) {
    using Value = std::remove_cvref_t<decltype(std::declval<Limits>().*kLimit)>;
    return {.name = name,
            .take =
                [](Limits& limits, std::string_view text) {
                    const Value value = kParse(text);
                    if (value == Value()) {
                        return LimitRow::Taken::is_another;
                    }
                    if (limits.*kLimit != Value()) {
                        return LimitRow::Taken::is_there;
                    }
                    limits.*kLimit = value;
                    return LimitRow::Taken::yes;
                },
            .value =
                [](const Limits& limits) {
                    return limits.*kLimit == Value() ? std::string() : kText(value_of(limits.*kLimit));
                }};
}

constexpr std::array kLimitRows{
    limit_row<&Limits::sessions, parse_count, count_text>("sessions"),
    limit_row<&Limits::flows, parse_count, count_text>("flows"),
    limit_row<&Limits::packets_per_s, parse_rate_of<PacketRate, &PacketRate::pps>, rate_text<PacketRate>>("rate"),
    limit_row<&Limits::bits_per_s, parse_rate_of<BitRate, &BitRate::bps>, rate_text<BitRate>>("rate"),
    limit_row<&Limits::duration, parse_duration, duration_to_string>("duration"),
    limit_row<&Limits::to, parse_destinations, destinations_text>("to"),
    limit_row<&Limits::ports, parse_port_range, ports_text>("ports"),
    limit_row<&Limits::log_bytes, parse_room, room_text>("log-bytes"),
    limit_row<&Limits::spool_bytes, parse_room, room_text>("spool-bytes"),
};

std::vector<std::string_view> limit_names() {
    std::vector<std::string_view> names;
    for (const LimitRow& row : kLimitRows) {
        if (names.empty() or names.back() != row.name) {
            names.push_back(row.name);
        }
    }
    return names;
}

/// Returns: false if it is there already.
bool take(Limits& limits, std::string_view name, std::string_view value) {
    for (const LimitRow& row : kLimitRows) {
        const auto taken = row.name == name ? row.take(limits, value) : LimitRow::Taken::is_another;
        if (taken != LimitRow::Taken::is_another) {
            return taken == LimitRow::Taken::yes;
        }
    }
    const std::vector<std::string_view> names = limit_names();
    throw UsageError("there is no limit '" + plain_text(name, 40) + "': there are " + one_of(names) +
                     did_you_mean(name, names));
}

/// "at most 3 flows (flows=3), and this asks for 4".
std::string above(std::string_view what, std::string_view limit, const std::string& asked) {
    return fmt::format("{} ({}), and this asks for {}", what, limit, asked);
}

/// The same of one limit.
std::string above(std::string_view what, const Limits& limit, const std::string& asked) {
    return above(what, to_string(limit), asked);
}

/// Six digits of it.
template <typename Kind>
std::string asked_rate(double value) {
    return std::isfinite(value) ? rate_text<Kind>(parse_number(fmt::format("{:.6g}", value)))
                                : "one without a bound (give its flows a rate)";
}

/// "3", or "3 beside 2 of other sessions or runs under the key".
template <typename Number>
std::string asked_beside(Number asked, Number beside, std::string (*text)(Number)) {
    return text(asked) + (beside > 0 ? " beside " + text(beside) + " of other sessions or runs under this key" : "");
}

}  // namespace

Limits parse_limits(std::string_view text) {
    Limits limits;
    for (const std::string_view one : split_list(text)) {
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos) {
            throw UsageError("'" + plain_text(one, 40) + "' is no limit: write NAME=VALUE, NAME one of " +
                             one_of(limit_names()) + ", with ',' between several");
        }
        if (not take(limits, one.substr(0, equals), one.substr(equals + 1))) {
            throw UsageError("the limit '" + plain_text(one, 40) + "' is there twice: leave one out");
        }
    }
    return limits;
}

std::string to_string(const Limits& limits) {
    std::vector<std::string> parts;
    for (const LimitRow& row : kLimitRows) {
        if (const std::string value = row.value(limits); not value.empty()) {
            parts.push_back(fmt::format("{}={}", row.name, value));
        }
    }
    return fmt::format("{}", fmt::join(parts, ","));
}

std::string excess_in_words(const Limits& limits, const Load& load, const Load& beside) {
    Load together = load;
    together.add(beside);
    if (limits.sessions and together.sessions > *limits.sessions) {
        return above(fmt::format("at most {} at once", counted(*limits.sessions, "session")),
                     Limits{.sessions = limits.sessions}, fmt::format("number {}", together.sessions));
    }
    if (limits.flows and together.flows > *limits.flows) {
        return above(fmt::format("at most {} at once", counted(*limits.flows, "flow")), Limits{.flows = limits.flows},
                     asked_beside(load.flows, beside.flows, count_text));
    }
    if (limits.packets_per_s and together.packets_per_s > *limits.packets_per_s * kRounding) {
        return above("a mean rate of packets, of all flows together", Limits{.packets_per_s = limits.packets_per_s},
                     asked_beside(load.packets_per_s, beside.packets_per_s, asked_rate<PacketRate>));
    }
    if (limits.bits_per_s and together.bits_per_s > *limits.bits_per_s * kRounding) {
        return above("a mean rate of payload, of all flows together", Limits{.bits_per_s = limits.bits_per_s},
                     asked_beside(load.bits_per_s, beside.bits_per_s, asked_rate<BitRate>));
    }
    if (limits.duration and (not load.duration or *load.duration > *limits.duration)) {
        return above(
            "runs of a limited duration", Limits{.duration = limits.duration},
            load.duration ? duration_to_string(*load.duration) : "one without an end (give its flows a duration)");
    }
    return {};
}

std::string fullness_in_words(const Limits& limits, Bytes used) {
    return fmt::format("at most {} of logs ({}), of which {} are used", human_bytes(limits.log_bytes->count),
                       to_string(Limits{.log_bytes = limits.log_bytes}), human_bytes(used.count));
}

std::string spool_fullness_in_words(const Limits& limits) {
    return fmt::format("at most {} of logs in the spool ({})", human_bytes(limits.spool_bytes->count),
                       to_string(Limits{.spool_bytes = limits.spool_bytes}));
}

std::string misdirection_in_words(const Limits& limits, const SocketAddress& address) {
    const bool named = limits.to.contain(address);
    if (not named and (address.is_multicast() or not limits.to.all.empty())) {
        return above(limits.to.all.empty() ? "no multicast group" : "these networks only",
                     "to=" + destinations_text(limits.to), address.host_to_string());
    }
    const PortRange ports = limits.ports.value_or(kUsualPorts);
    if (address.port() != 0 and (address.port() < ports.first or address.port() > ports.last)) {
        return above("these ports only", Limits{.ports = ports}, std::to_string(address.port()));
    }
    return {};
}

}  // namespace groma
