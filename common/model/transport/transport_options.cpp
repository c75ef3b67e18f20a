#include "common/model/transport/transport_options.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>

#include "common/model/transport/port_range.hpp"
#include "common/model/transport/transport_option_values.hpp"

namespace groma {

namespace {

using Options = TransportOptions;

/// The transports whose traits have what `has` asks for.
template <auto has>
constexpr auto transports_that() {
    std::array<Transport, std::ranges::count_if(kTransports, has)> those{};
    std::ranges::transform(kTransports | std::views::filter(has), those.begin(), &TransportTraits::transport);
    return those;
}

using Traits = TransportTraits;

constexpr auto kStreams = transports_that<[](const Traits& t) { return t.stream; }>();
constexpr auto kShared = transports_that<[](const Traits& t) { return t.sharing != SocketSharing::none; }>();
constexpr auto kSharedByHeader =
    transports_that<[](const Traits& t) { return t.sharing == SocketSharing::by_header; }>();
constexpr auto kSegmented = transports_that<[](const Traits& t) { return t.segments; }>();
constexpr auto kConnections = transports_that<[](const Traits& t) { return t.connects; }>();
constexpr auto kMessages = transports_that<[](const Traits& t) { return not t.connects; }>();
constexpr auto kDatagrams = transports_that<[](const Traits& t) { return not t.connects and t.ports; }>();
constexpr std::array kSctp{Transport::sctp, Transport::usrsctp};
constexpr std::array kUserSctp{Transport::usrsctp};
constexpr std::array kDccp{Transport::dccp};
constexpr std::array kUdpLite{Transport::udplite};

template <auto Member, std::uint32_t least, std::uint32_t most>
void set_number(Options& options, std::string_view text) {
    options.*Member = option_value::number(text, least, most);
}
template <auto Member, auto parse>
void set_parsed(Options& options, std::string_view text) {
    options.*Member = parse(text);
}
template <auto Member>
std::optional<std::string> get(const Options& options) {
    return option_value::text_of(options.*Member);
}

constexpr std::uint32_t kMax32 = std::numeric_limits<std::uint32_t>::max();

constexpr std::array kRows{
    TransportOptionRow{"source",
                       "ADDRESS",
                       "send from this address of this host",
                       {},
                       &set_parsed<&Options::source, &option_value::name>,
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
                       &get<&Options::source_ports>,
                       "All flows share the range."},
    TransportOptionRow{"ports",
                       "FIRST-LAST",
                       "the receiver takes the first free port of these",
                       {},
                       &set_parsed<&Options::ports, &parse_port_range>,
                       &get<&Options::ports>,
                       "All flows share the range."},
    TransportOptionRow{"device",
                       "NAME",
                       "send through this interface only",
                       {},
                       &set_parsed<&Options::device, &option_value::name>,
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
                       &set_parsed<&Options::dont_fragment, &option_value::on_or_off>,
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
                       &set_parsed<&Options::send_buffer, &option_value::buffer>,
                       &get<&Options::send_buffer>},
    TransportOptionRow{"receive_buffer",
                       "BYTES",
                       "the receiving socket's buffer",
                       {},
                       &set_parsed<&Options::receive_buffer, &option_value::buffer>,
                       &get<&Options::receive_buffer>},
    TransportOptionRow{"departure", "user|kernel|kernel:TIME",
                       "who lets packets go when they are due; the kernel gets them TIME ahead (default: user, "
                       "2ms)",
                       kDatagrams, &set_parsed<&Options::departure_lead, &option_value::departure_lead>,
                       &option_value::lead_to_string,
                       "With kernel they are handed over TIME ahead, and the queue of the network device lets "
                       "each go at its time: fq or etf, which the device must have."},
    TransportOptionRow{"segmentation", "auto|off",
                       "whether packets of one size that are due together may pass the kernel as one (default: "
                       "auto)",
                       kSegmented, &set_parsed<&Options::segmentation, &option_value::segmentation>,
                       &get<&Options::segmentation>},
    TransportOptionRow{"own_socket", "on|off",
                       "a socket, and so a port, of the flow's own, also among more than 1000 flows", kSharedByHeader,
                       &set_parsed<&Options::own_socket, &option_value::on_or_off>, &get<&Options::own_socket>,
                       "Otherwise more than 1000 flows share some sockets."},
    TransportOptionRow{"sent_stamps", "user|kernel|hardware",
                       "record when packets left, also as the kernel or the interface saw it", kMessages,
                       &set_parsed<&Options::sent_stamps, &option_value::stamp_source>, &get<&Options::sent_stamps>},
    TransportOptionRow{"arrival_stamps", "user|kernel|hardware", "whose time of arrival is recorded (default: kernel)",
                       kMessages, &set_parsed<&Options::arrival_stamps, &option_value::stamp_source>,
                       &get<&Options::arrival_stamps>},
    TransportOptionRow{"arrival_header", "on|off", "record TTL and DS byte as they arrived", kMessages,
                       &set_parsed<&Options::arrival_header, &option_value::on_or_off>, &get<&Options::arrival_header>},
    TransportOptionRow{"state_interval", "TIME",
                       "record the connection's state so often (default: 100ms, or 1s of more than 10; 0: never)",
                       kConnections, &set_parsed<&Options::state_interval, &option_value::state_interval>,
                       &get<&Options::state_interval>},
    TransportOptionRow{"group", "ADDRESS", "send to this multicast group, which all receivers join", kDatagrams,
                       &set_parsed<&Options::group, &option_value::name>, &get<&Options::group>},
    TransportOptionRow{"source_specific", "on|off", "receivers join the group for this sender only (RFC 4607)",
                       kDatagrams, &set_parsed<&Options::source_specific, &option_value::on_or_off>,
                       &get<&Options::source_specific>},
    TransportOptionRow{"nagle", "on|off", "let the kernel wait to fill segments (default: off)", kStreams,
                       &set_parsed<&Options::nagle, &option_value::on_or_off>, &get<&Options::nagle>},
    TransportOptionRow{"congestion", "NAME", "congestion control, such as reno, cubic, bbr", kStreams,
                       &set_parsed<&Options::congestion, &option_value::name>, &get<&Options::congestion>},
    TransportOptionRow{"mss", "N", "largest segment: 88 to 32767 bytes", kStreams,
                       &set_number<&Options::mss, 88, 32767>, &get<&Options::mss>},
    TransportOptionRow{"streams", "N", "streams of the association, taken in turn: 1 to 65535", kSctp,
                       &set_number<&Options::streams, 1, 65535>, &get<&Options::streams>},
    TransportOptionRow{"ordered", "on|off", "whether messages of a stream come in order (default: on)", kSctp,
                       &set_parsed<&Options::ordered, &option_value::on_or_off>, &get<&Options::ordered>},
    TransportOptionRow{"lifetime", "TIME", "give a message up after so long", kSctp,
                       &set_parsed<&Options::lifetime, &option_value::lifetime>, &get<&Options::lifetime>},
    TransportOptionRow{"retransmissions", "N", "give a message up after so many retransmissions", kSctp,
                       &set_number<&Options::retransmissions, 0, 65535>, &get<&Options::retransmissions>},
    TransportOptionRow{"association", "N",
                       "flows of one number to one receiver share an association, or a socket of UDP: 1 to 65535",
                       kShared, &set_number<&Options::association, 1, 65535>, &get<&Options::association>,
                       "Flows that share an association of SCTP have streams of their own in it. Flows that "
                       "share a socket of UDP need packets of at least 20 bytes, which tell their flow."},
    TransportOptionRow{"encapsulation", "PORT",
                       "the receiver's UDP port that carries the packets (RFC 6951); 0: they go over IP "
                       "(default: 9899)",
                       kUserSctp, &set_number<&Options::encapsulation, 0, 65535>, &get<&Options::encapsulation>},
    TransportOptionRow{"ccid", "2|3", "congestion control", kDccp, &set_number<&Options::ccid, 2, 3>,
                       &get<&Options::ccid>},
    TransportOptionRow{"service", "N", "service code", kDccp, &set_number<&Options::service, 0, kMax32 - 1>,
                       &get<&Options::service>},
    TransportOptionRow{"coverage", "N", "bytes that the checksum covers, the header's 8 included; 0: all", kUdpLite,
                       &set_number<&Options::coverage, 0, 65535>, &get<&Options::coverage>},
};

}  // namespace

std::span<const TransportOptionRow> transport_option_rows() noexcept {
    return kRows;
}

}  // namespace groma
