#include "common/net/flow_sockets.hpp"

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/net/icmp/icmp.hpp"
#include "common/net/icmp/icmp_socket.hpp"
#include "common/net/message/dccp_channel.hpp"
#include "common/net/message/sctp_channel.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/stream/connect_each_channel.hpp"
#include "common/net/stream/connect_each_inbox.hpp"
#include "common/net/stream/tcp_channel.hpp"
#include "common/net/stream/tcp_inbox.hpp"
#include "common/net/udp/udp_channel.hpp"
#include "common/net/udp/udp_inbox.hpp"
#include "common/net/user_sctp/user_sctp.hpp"

namespace groma {

namespace {

using OpenChannel = std::unique_ptr<Channel> (*)(const ChannelSpec& spec, Clock& clock);
using OpenInbox = std::unique_ptr<Inbox> (*)(const InboxSpec& spec, Clock& clock);
using OpenTogether = std::vector<std::unique_ptr<Channel>> (*)(std::span<const ChannelSpec> specs, Clock& clock);
using Error = std::string (*)(Transport transport, const SocketAddress& address);

/// Why `open` cannot open a socket; empty when it can.
template <typename Open>
std::string error_of(const Open& open) {
    try {
        (void)open();
        return {};
    } catch (const SystemError& error) {
        return error.what();
    }
}

std::string socket_error(Transport transport, const SocketAddress& address) {
    return error_of([&] { return open_flow_socket(transport, address); });
}

std::string echo_error(Transport /*transport*/, const SocketAddress& address) {
    return error_of([&] { return open_echo_sender(address); });
}

std::string library_error(Transport /*transport*/, const SocketAddress& /*address*/) {
    return user_sctp_error();
}

std::unique_ptr<Channel> open_udp_channel(const ChannelSpec& spec, Clock& /*clock*/) {
    return std::make_unique<UdpChannel>(spec);
}

std::unique_ptr<Channel> open_stream_channel(const ChannelSpec& spec, Clock& clock) {
    if (spec.requests_per_connection) {
        return std::make_unique<ConnectEachChannel>(spec, clock);
    }
    return std::make_unique<TcpChannel>(spec, clock);
}

std::unique_ptr<Inbox> open_stream_inbox(const InboxSpec& spec, Clock& clock) {
    if (spec.connect_each) {
        return std::make_unique<ConnectEachInbox>(spec, clock);
    }
    return std::make_unique<TcpInbox>(spec, clock);
}

std::vector<std::unique_ptr<Channel>> open_on_one_socket(std::span<const ChannelSpec> specs, Clock& /*clock*/) {
    return open_udp_channels(specs);
}

template <typename Opened, typename Interface, typename Spec>
std::unique_ptr<Interface> opened(const Spec& spec, Clock& clock) {
    return std::make_unique<Opened>(spec, clock);
}

struct FlowSockets {
    Transport transport = Transport::udp;
    OpenChannel open_channel = nullptr;
    OpenInbox open_inbox = nullptr;
    Error sending_error = socket_error;
    Error receiving_error = socket_error;
    OpenTogether open_together = nullptr;  ///< null: TransportTraits::sharing is none
};

constexpr std::array kFlowSockets{
    FlowSockets{Transport::udp, open_udp_channel, opened<UdpInbox, Inbox>, socket_error, socket_error,
                open_on_one_socket},
    FlowSockets{Transport::udplite, open_udp_channel, opened<UdpInbox, Inbox>},
    FlowSockets{Transport::tcp, open_stream_channel, open_stream_inbox},
    FlowSockets{Transport::mptcp, open_stream_channel, open_stream_inbox},
    FlowSockets{Transport::icmp, open_icmp_channel, open_icmp_inbox, echo_error},
    FlowSockets{Transport::sctp, opened<SctpChannel, Channel>, open_sctp_inbox, socket_error, socket_error,
                open_sctp_channels},
    FlowSockets{Transport::dccp, opened<DccpChannel, Channel>, open_dccp_inbox},
    FlowSockets{Transport::usrsctp, open_user_sctp_channel, open_user_sctp_inbox, library_error, library_error},
};

constexpr const FlowSockets& sockets_of(Transport transport) {
    return *std::ranges::find(kFlowSockets, transport, &FlowSockets::transport);
}
static_assert(std::ranges::all_of(kTransports,
                                  [](const TransportTraits& each) {
                                      return std::ranges::count(kFlowSockets, each.transport,
                                                                &FlowSockets::transport) == 1 and
                                             (sockets_of(each.transport).open_together != nullptr) ==
                                                 (each.sharing != SocketSharing::none);
                                  }),
              "each transport has its sockets, and a way to share them if its traits say so");

}  // namespace

std::unique_ptr<Channel> open_channel(const ChannelSpec& spec, Clock& clock) {
    return sockets_of(spec.transport).open_channel(spec, clock);
}

std::vector<std::unique_ptr<Channel>> open_channels(std::span<const ChannelSpec> specs, Clock& clock) {
    const FlowSockets& sockets = sockets_of(specs.front().transport);
    if (specs.size() > 1) {
        check(sockets.open_together != nullptr, "flows of this transport cannot share a socket");
        return sockets.open_together(specs, clock);
    }
    std::vector<std::unique_ptr<Channel>> channels;
    channels.push_back(sockets.open_channel(specs.front(), clock));
    return channels;
}

std::unique_ptr<Inbox> open_inbox(const InboxSpec& spec, Clock& clock) {
    check(spec.bind_to.valid() and spec.expected_peer.valid(), "a flow needs an address and a peer");
    return sockets_of(spec.transport).open_inbox(spec, clock);
}

std::string sending_error(Transport transport, const SocketAddress& address) {
    return sockets_of(transport).sending_error(transport, address);
}

std::string receiving_error(Transport transport, const SocketAddress& address) {
    return sockets_of(transport).receiving_error(transport, address);
}

}  // namespace groma
