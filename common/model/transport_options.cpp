#include "common/model/transport_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/flow_text.hpp"
#include "common/model/port_range.hpp"
#include "common/model/quantity_text.hpp"

namespace groma {

namespace {

using Options = TransportOptions;

constexpr std::array kStreams{Transport::tcp, Transport::mptcp};
constexpr std::array kSctp{Transport::sctp, Transport::usrsctp};
constexpr std::array kShared{Transport::udp, Transport::sctp};
constexpr std::array kUserSctp{Transport::usrsctp};
constexpr std::array kDatagrams{Transport::udp, Transport::udplite};
constexpr std::array kMessages{Transport::udp, Transport::udplite, Transport::icmp};
constexpr std::array kConnections{Transport::tcp, Transport::mptcp, Transport::sctp, Transport::dccp,
                                  Transport::usrsctp};
constexpr std::array kDccp{Transport::dccp};
constexpr std::array kUdp{Transport::udp};
constexpr std::array kUdpLite{Transport::udplite};

constexpr std::size_t kMaxNameBytes = 64;
constexpr std::uint64_t kMaxBuffer = 1ULL << 30U;

std::uint32_t number(std::string_view text, std::uint32_t least, std::uint32_t most) {
    std::string_view digits = text;
    int base = 10;
    if (digits.starts_with("0x")) {
        digits.remove_prefix(2);
        base = 16;
    }
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() or end != digits.data() + digits.size() or value < least or value > most) {
        throw UsageError("'" + plain_text(text, 40) + "' is not a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most));
    }
    return value;
}

bool on_or_off(std::string_view text) {
    if (text != "on" and text != "off") {
        throw UsageError("'" + plain_text(text, 40) + "' is neither on nor off");
    }
    return text == "on";
}

/// Names of addresses, interfaces and algorithms: short, printable, no spaces.
std::string name(std::string_view text) {
    const bool plain = std::ranges::all_of(text, [](char c) { return c > 0x20 and c < 0x7f; });
    if (text.empty() or text.size() > kMaxNameBytes or not plain) {
        throw UsageError("'" + plain_text(text, 40) + "' is no name");
    }
    return std::string(text);
}

Bytes buffer(std::string_view text) {
    const Bytes bytes = parse_bytes(text);
    if (bytes.count == 0 or bytes.count > kMaxBuffer) {
        throw UsageError("'" + plain_text(text, 40) + "' is no size of a buffer: give 1 B to 1 GiB");
    }
    return bytes;
}

/// Milliseconds, as the kernel counts them.
Nanos lifetime(std::string_view text) {
    const Nanos span = parse_duration(text);
    if (span < std::chrono::milliseconds(1) or span > std::chrono::hours(1)) {
        throw UsageError("'" + plain_text(text, 40) + "' is no lifetime: give 1ms to 1h");
    }
    return span;
}

constexpr std::array<std::string_view, 3> kStampSources{"user", "kernel", "hardware"};

StampSource stamp_source(std::string_view text) {
    const auto* const found = std::ranges::find(kStampSources, text);
    if (found == kStampSources.end()) {
        throw UsageError("'" + plain_text(text, 40) + "' is none of user, kernel, hardware");
    }
    return static_cast<StampSource>(found - kStampSources.begin());
}

Segmentation segmentation(std::string_view text) {
    if (text != "auto" and text != "off") {
        throw UsageError("'" + plain_text(text, 40) + "' is neither auto nor off");
    }
    return text == "off" ? Segmentation::off : Segmentation::automatic;
}

constexpr Nanos kUsualLead = std::chrono::milliseconds(2);

/// Who lets packets go when they are due: "user", "kernel", "kernel:5ms".
Nanos departure_lead(std::string_view text) {
    if (text == "user") {
        return Nanos{0};
    }
    if (text == "kernel") {
        return kUsualLead;
    }
    constexpr std::string_view kKernel = "kernel:";
    if (not text.starts_with(kKernel)) {
        throw UsageError("'" + plain_text(text, 40) + "' is none of user, kernel, kernel:TIME");
    }
    const Nanos lead = parse_duration(text.substr(kKernel.size()));
    if (lead < std::chrono::microseconds(200) or lead > std::chrono::seconds(1)) {
        throw UsageError("'" + plain_text(text, 40) +
                         "': packets are handed to the kernel 200us to 1s before their departure");
    }
    return lead;
}

std::optional<std::string> lead_to_string(const TransportOptions& options) {
    if (not options.departure_lead) {
        return std::nullopt;
    }
    const Nanos lead = *options.departure_lead;
    if (lead == Nanos{0}) {
        return "user";
    }
    return lead == kUsualLead ? "kernel" : "kernel:" + duration_to_string(lead);
}

/// How often the state of a connection is looked at; 0: never.
Nanos state_interval(std::string_view text) {
    if (text == "0") {
        return Nanos{0};
    }
    const Nanos span = parse_duration(text);
    if (span < std::chrono::milliseconds(1) or span > std::chrono::hours(1)) {
        throw UsageError("'" + plain_text(text, 40) + "' is no interval: give 1ms to 1h, or 0 for none");
    }
    return span;
}

std::optional<std::string> text_of(const std::optional<PortRange>& value) {
    return value ? std::optional(to_string(*value)) : std::nullopt;
}
std::optional<std::string> text_of(const std::optional<StampSource>& value) {
    return value ? std::optional(std::string(kStampSources[static_cast<std::size_t>(*value)])) : std::nullopt;
}
std::optional<std::string> text_of(const std::optional<Segmentation>& value) {
    return value ? std::optional<std::string>(*value == Segmentation::off ? "off" : "auto") : std::nullopt;
}
std::optional<std::string> text_of(const std::optional<std::uint32_t>& value) {
    return value ? std::optional(std::to_string(*value)) : std::nullopt;
}
std::optional<std::string> text_of(const std::optional<bool>& value) {
    return value ? std::optional<std::string>(*value ? "on" : "off") : std::nullopt;
}
std::optional<std::string> text_of(const std::optional<Bytes>& value) {
    return value ? std::optional(std::to_string(value->count)) : std::nullopt;
}
std::optional<std::string> text_of(const std::optional<Nanos>& value) {
    return value ? std::optional(duration_to_string(*value)) : std::nullopt;
}
std::optional<std::string> text_of(const std::string& value) {
    return value.empty() ? std::nullopt : std::optional(value);
}

template <auto Member, std::uint32_t least, std::uint32_t most>
void set_number(Options& options, std::string_view text) {
    options.*Member = number(text, least, most);
}
template <auto Member, auto parse>
void set_parsed(Options& options, std::string_view text) {
    options.*Member = parse(text);
}
template <auto Member>
std::optional<std::string> get(const Options& options) {
    return text_of(options.*Member);
}

constexpr std::uint32_t kMax32 = std::numeric_limits<std::uint32_t>::max();

constexpr std::array kRows{
    TransportOptionRow{"source",
                       "ADDRESS",
                       "send from this address of this host",
                       {},
                       &set_parsed<&Options::source, &name>,
                       &get<&Options::source>},
    TransportOptionRow{"source_port",
                       "N",
                       "send from this port (several flows: N, N+1, ...)",
                       {},
                       &set_number<&Options::source_port, 1, 65535>,
                       &get<&Options::source_port>},
    TransportOptionRow{"source_ports",
                       "FIRST-LAST",
                       "send from the first free port of these",
                       {},
                       &set_parsed<&Options::source_ports, &parse_port_range>,
                       &get<&Options::source_ports>},
    TransportOptionRow{"ports",
                       "FIRST-LAST",
                       "the receiver takes the first free port of these",
                       {},
                       &set_parsed<&Options::ports, &parse_port_range>,
                       &get<&Options::ports>},
    TransportOptionRow{"device",
                       "NAME",
                       "send through this interface only",
                       {},
                       &set_parsed<&Options::device, &name>,
                       &get<&Options::device>},
    TransportOptionRow{
        "ttl", "N", "TTL, or hop limit of IPv6: 1 to 255", {}, &set_number<&Options::ttl, 1, 255>, &get<&Options::ttl>},
    TransportOptionRow{"ds_byte",
                       "N",
                       "DS byte, all 8 bits with ECN: 0 to 255, such as 0xb8 for expedited forwarding",
                       {},
                       &set_number<&Options::ds_byte, 0, 255>,
                       &get<&Options::ds_byte>},
    TransportOptionRow{"flow_label",
                       "N",
                       "flow label of IPv6: 0 to 0xfffff",
                       {},
                       &set_number<&Options::flow_label, 0, 0xfffff>,
                       &get<&Options::flow_label>},
    TransportOptionRow{"dont_fragment",
                       "on|off",
                       "whether packets too large for the path are dropped, not cut up",
                       {},
                       &set_parsed<&Options::dont_fragment, &on_or_off>,
                       &get<&Options::dont_fragment>},
    TransportOptionRow{"priority",
                       "N",
                       "priority in this host's queues (SO_PRIORITY): 0 to 15",
                       {},
                       &set_number<&Options::priority, 0, 15>,
                       &get<&Options::priority>},
    TransportOptionRow{"send_buffer",
                       "BYTES",
                       "the sending socket's buffer",
                       {},
                       &set_parsed<&Options::send_buffer, &buffer>,
                       &get<&Options::send_buffer>},
    TransportOptionRow{"receive_buffer",
                       "BYTES",
                       "the receiving socket's buffer",
                       {},
                       &set_parsed<&Options::receive_buffer, &buffer>,
                       &get<&Options::receive_buffer>},
    TransportOptionRow{"departure", "user|kernel|kernel:TIME",
                       "who lets packets go when they are due; the kernel gets them TIME ahead (default: user, 2ms)",
                       kDatagrams, &set_parsed<&Options::departure_lead, &departure_lead>, &lead_to_string},
    TransportOptionRow{"segmentation", "auto|off",
                       "whether packets due together may pass the kernel as one (default: auto)", kUdp,
                       &set_parsed<&Options::segmentation, &segmentation>, &get<&Options::segmentation>},
    TransportOptionRow{"own_socket", "on|off", "a socket and port of its own, also among more than 1000 flows", kUdp,
                       &set_parsed<&Options::own_socket, &on_or_off>, &get<&Options::own_socket>},
    TransportOptionRow{"sent_stamps", "user|kernel|hardware", "record when packets left, also as the kernel saw it",
                       kMessages, &set_parsed<&Options::sent_stamps, &stamp_source>, &get<&Options::sent_stamps>},
    TransportOptionRow{"arrival_stamps", "user|kernel|hardware", "whose time of arrival is recorded (default: kernel)",
                       kMessages, &set_parsed<&Options::arrival_stamps, &stamp_source>, &get<&Options::arrival_stamps>},
    TransportOptionRow{"arrival_header", "on|off", "record TTL and DS byte as they arrived", kMessages,
                       &set_parsed<&Options::arrival_header, &on_or_off>, &get<&Options::arrival_header>},
    TransportOptionRow{"state_interval", "TIME", "record the connection's state so often (default: 1s; 0: never)",
                       kConnections, &set_parsed<&Options::state_interval, &state_interval>,
                       &get<&Options::state_interval>},
    TransportOptionRow{"group", "ADDRESS", "send to this multicast group, which the receivers join", kDatagrams,
                       &set_parsed<&Options::group, &name>, &get<&Options::group>},
    TransportOptionRow{"source_specific", "on|off", "receivers join the group for this sender only (RFC 4607)",
                       kDatagrams, &set_parsed<&Options::source_specific, &on_or_off>, &get<&Options::source_specific>},
    TransportOptionRow{"nagle", "on|off", "let the kernel wait to fill segments (default: off)", kStreams,
                       &set_parsed<&Options::nagle, &on_or_off>, &get<&Options::nagle>},
    TransportOptionRow{"congestion", "NAME", "congestion control, such as reno, cubic, bbr", kStreams,
                       &set_parsed<&Options::congestion, &name>, &get<&Options::congestion>},
    TransportOptionRow{"mss", "N", "largest segment: 88 to 32767 bytes", kStreams,
                       &set_number<&Options::mss, 88, 32767>, &get<&Options::mss>},
    TransportOptionRow{"streams", "N", "streams of the association, taken in turn: 1 to 65535", kSctp,
                       &set_number<&Options::streams, 1, 65535>, &get<&Options::streams>},
    TransportOptionRow{"ordered", "on|off", "whether messages of a stream come in order (default: on)", kSctp,
                       &set_parsed<&Options::ordered, &on_or_off>, &get<&Options::ordered>},
    TransportOptionRow{"lifetime", "TIME", "give a message up after so long", kSctp,
                       &set_parsed<&Options::lifetime, &lifetime>, &get<&Options::lifetime>},
    TransportOptionRow{"retransmissions", "N", "give a message up after so many retransmissions", kSctp,
                       &set_number<&Options::retransmissions, 0, 65535>, &get<&Options::retransmissions>},
    TransportOptionRow{"association", "N",
                       "flows of one number to one receiver share an association, or a socket of UDP: 1 to 65535",
                       kShared, &set_number<&Options::association, 1, 65535>, &get<&Options::association>},
    TransportOptionRow{"encapsulation", "PORT", "UDP port that carries the packets (RFC 6951; default: 9899; 0: IP)",
                       kUserSctp, &set_number<&Options::encapsulation, 0, 65535>, &get<&Options::encapsulation>},
    TransportOptionRow{"ccid", "2|3", "congestion control", kDccp, &set_number<&Options::ccid, 2, 3>,
                       &get<&Options::ccid>},
    TransportOptionRow{"service", "N", "service code", kDccp, &set_number<&Options::service, 0, kMax32 - 1>,
                       &get<&Options::service>},
    TransportOptionRow{"coverage", "N", "bytes that the checksum covers, the header's 8 included; 0: all", kUdpLite,
                       &set_number<&Options::coverage, 0, 65535>, &get<&Options::coverage>},
};

std::string names(std::span<const Transport> transports) {
    std::string all;
    for (const Transport each : transports) {
        all.append(all.empty() ? "" : " or ").append(to_string(each));
    }
    return all;
}

}  // namespace

std::span<const TransportOptionRow> transport_option_rows() noexcept {
    return kRows;
}

std::vector<std::string> faults(const TransportOptions& options, Transport transport) {
    std::vector<std::string> found;
    for (const TransportOptionRow& row : kRows) {
        if (row.get(options) and not row.only.empty() and std::ranges::find(row.only, transport) == row.only.end()) {
            found.push_back(std::string(row.key) + " is of " + names(row.only) + " only, and the flow goes over " +
                            std::string(to_string(transport)));
        }
    }
    if (options.source_port and not traits(transport).ports) {
        found.push_back("source_port: " + std::string(traits(transport).title) + " has no ports");
    }
    if (options.source_port and options.source_ports) {
        found.emplace_back("source_port and source_ports: give one or the other");
    }
    if ((options.ports or options.source_ports) and not traits(transport).ports) {
        found.push_back("ports: " + std::string(traits(transport).title) + " has none");
    }
    if (options.source_specific and options.group.empty()) {
        found.emplace_back("source_specific: it takes a multicast group");
    }
    if (options.coverage and *options.coverage > 0 and *options.coverage < 8) {
        found.emplace_back("coverage: it is 0 or at least the header's 8 bytes (RFC 3828)");
    }
    if (options.association and options.own_socket.value_or(false)) {
        found.emplace_back(
            "own_socket and association: a flow has a socket of its own or shares one; give one of them");
    }
    if (options.association and options.departure_lead.value_or(Nanos{0}) > Nanos{0}) {
        found.emplace_back("departure and association: of flows that share a socket the kernel cannot hold packets");
    }
    if (options.lifetime and options.retransmissions) {
        found.emplace_back("lifetime and retransmissions: a message is given up by one or the other");
    }
    return found;
}

}  // namespace groma
