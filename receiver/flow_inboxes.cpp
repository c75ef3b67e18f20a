#include "receiver/flow_inboxes.hpp"

#include <cerrno>
#include <fstream>
#include <string_view>
#include <utility>

#include "common/model/transport/port_range.hpp"
#include "common/net/channel/signalling.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/os/process.hpp"
#include "receiver/data_ports.hpp"

namespace groma {

namespace {

/// Descriptors that flows leave to logs and to connections.
constexpr std::uint64_t kFdsOfReceiver = 32;

/// That it gives to sockets which ask for none, of both IPv4 and IPv6 (ip(7)). Nothing when it does not say.
std::optional<PortRange> ports_of_kernel() {
    std::ifstream file("/proc/sys/net/ipv4/ip_local_port_range");
    PortRange range;
    return file >> range.first >> range.last and range.first <= range.last ? std::optional(range) : std::nullopt;
}

}  // namespace

SocketAddress FlowInboxes::source_of(const FlowSpec& spec) const {
    const SocketAddress& peer = place_.peer;
    if (spec.options.source.empty()) {
        return peer;
    }
    const std::string_view named = spec.options.source;  // its scope, if it has one, is of the sender's host
    const SocketAddress source = SocketAddress::from_literal(named.substr(0, named.find('%')), 0);
    if (source.is_ipv4() != peer.is_ipv4()) {
        throw UsageError("the source " + source.host_to_string() + " and the session's " + peer.host_to_string() +
                         " are of different families: give addresses of one kind");
    }
    if (spec.meter == Meter::round_trip and not source.same_host(peer)) {
        throw UsageError("replies go to " + peer.host_to_string() +
                         " only, which this session comes from: leave out the source " + source.host_to_string());
    }
    return source;
}

InboxSpec FlowInboxes::inbox_of(const FlowSpec& spec, const std::optional<MacKey>& seal) const {
    if (not spec.options.group.empty() and not spec.target.data_port) {
        throw UsageError("a flow to a multicast group must name its port, which all receivers have to take");
    }
    InboxSpec inbox{.flow = spec.id,
                    .transport = spec.transport,
                    .options = spec.options,
                    .header = spec.header,
                    .meter = spec.meter,
                    .bind_to = place_.bind_to.with_port(spec.target.data_port.value_or(0)),
                    .expected_peer = source_of(spec),
                    .gro = place_.gro,
                    .connect_each = spec.requests_per_connection.has_value(),
                    .seal = seal};
    inbox.options.ports = ports_for(spec, place_.data_ports);
    return inbox;
}

// The kernel looks for the port of a listening socket among all that it has given away, which takes milliseconds when
// those are thousands.
std::optional<PortRange> FlowInboxes::range_to_search(const InboxSpec& inbox) {
    constexpr std::size_t kFewPorts = 1000;
    if (inbox.options.ports or not is_stream(inbox.transport) or found_by_kernel_++ < kFewPorts) {
        return inbox.options.ports;
    }
    return ports_of_kernel();
}

std::unique_ptr<Inbox> FlowInboxes::opened(InboxSpec inbox) {
    if (inbox.bind_to.port() == 0) {
        inbox.options.ports = range_to_search(inbox);
    }
    const bool search = inbox.options.ports and inbox.bind_to.port() == 0;
    auto flow = search ? open_in_range(std::move(inbox)) : open_inbox(inbox, clock_);
    if (flow->fd() >= 0 and fds_beyond(flow->fd()) < kFdsOfReceiver) {
        throw SystemError("open one more socket", EMFILE);
    }
    return place_.signal_line == nullptr ? std::move(flow) : signalling(std::move(flow), *place_.signal_line);
}

std::unique_ptr<Inbox> FlowInboxes::open(const FlowSpec& spec, const std::optional<MacKey>& seal) {
    return opened(inbox_of(spec, seal));
}

std::unique_ptr<Inbox> FlowInboxes::dial(const FlowSpec& spec, std::uint16_t port, const std::optional<MacKey>& seal) {
    if (not traits(spec.transport).dialled) {
        throw UsageError("a receiver that dials cannot be sent " + std::string(traits(spec.transport).title) +
                         ": a NAT lets in what answers a connection or a datagram of UDP; use udp or tcp");
    }
    if (spec.requests_per_connection) {
        throw UsageError(
            "a receiver that dials makes one connection for each flow: leave out connect_each and "
            "requests_per_connection");
    }
    FlowSpec here = spec;
    here.target.data_port.reset();
    InboxSpec inbox = inbox_of(here, seal);
    inbox.dial = listener(port);
    return opened(std::move(inbox));
}

std::unique_ptr<Inbox> FlowInboxes::open_in_range(InboxSpec inbox) {
    const PortRange whole = *inbox.options.ports;
    const auto open_in = [&inbox, this](PortRange range) {
        inbox.options.ports = range;
        return open_inbox(inbox, clock_);
    };
    return search_.open_in(inbox.transport, whole, open_in,
                           [](const std::unique_ptr<Inbox>& opened) { return opened->local_address().port(); });
}

std::string FlowInboxes::reason(const FlowSpec& spec, const SystemError& error) const {
    std::string text = error.what();
    if (error.errno_value() == EADDRINUSE and place_.data_ports and not spec.target.data_port and
        not spec.options.ports) {
        text += "; this receiver gives away the ports " + to_string(*place_.data_ports) + " only (its --data-ports)";
    }
    if (error.errno_value() == EMFILE) {
        text +=
            "; raise what this receiver may open (ulimit -n), or let flows over UDP share sockets (--association N)";
    }
    return text;
}

}  // namespace groma
