#include "common/net/message/dccp_channel.hpp"

#include <linux/dccp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/channel/meeting.hpp"
#include "common/net/channel/reply_inbox.hpp"
#include "common/net/message/message_inbox.hpp"
#include "common/net/socket/connecting.hpp"
#include "common/net/socket/port_search.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"

namespace groma {

namespace {

constexpr int kSolDccp = 269;
/// Of flows that do not say otherwise: "GRMA" (RFC 4340, 8.1.2).
constexpr std::uint32_t kService = 0x47524d41;
constexpr int kQueuedPackets = 256;  ///< instead of the 5 that are usual

/// Of a connection that is made already, congestion control is settled.
TransportOptions options_of_channel(const ChannelSpec& spec) {
    TransportOptions options = dccp_options(spec.options);
    if (spec.met != nullptr) {
        options.ccid.reset();
    }
    return options;
}

}  // namespace

TransportOptions dccp_options(const TransportOptions& asked) {
    TransportOptions options = asked;
    options.service = asked.service.value_or(kService);
    return options;
}

DccpChannel::DccpChannel(const ChannelSpec& spec, Clock& clock) : to_(spec.to), socket_(channel_socket(spec)) {
    set_option(socket_, kSolDccp, DCCP_SOCKOPT_QPOLICY_TXQLEN, kQueuedPackets, "DCCP_SOCKOPT_QPOLICY_TXQLEN");
    warnings_ = apply_options(socket_, {spec.transport, to_.family(), SocketSide::sending}, options_of_channel(spec));
    reach(socket_, spec, clock);
}

SendOutcome DccpChannel::send(std::span<const Frame> frames) noexcept {
    return send_with_reports(socket_.get(), frames,
                             [this](std::span<const Frame> rest) { return batch_.send(socket_.get(), rest); });
}

bool DccpChannel::finish(Nanos) noexcept {
    return ::shutdown(socket_.get(), SHUT_WR) == 0;
}

std::unique_ptr<Inbox> DccpChannel::open_replies(const ReplySpec& spec, Clock& clock) {
    MessageReader reader(reply_inbox_spec(spec, Transport::dccp, to_), PacketKind::reply, clock);
    return std::make_unique<ConnectedReplies<MessageReader>>(ReplyPlace{socket_.get(), local_address(), to_},
                                                             std::move(reader));
}

SocketAddress DccpChannel::local_address() const {
    return local_address_of(socket_.get());
}

std::unique_ptr<Inbox> open_dccp_inbox(const InboxSpec& spec, Clock& clock) {
    FileDescriptor listener = open_flow_socket(Transport::dccp, spec.bind_to);
    auto warnings = apply_options(listener, {spec.transport, spec.bind_to.family(), SocketSide::receiving},
                                  dccp_options(spec.options));
    bind_in_range(listener, spec.bind_to, spec.expected_peer, spec.options.ports);
    return std::make_unique<MessageInbox>(spec, std::move(listener), std::move(warnings), clock);
}

}  // namespace groma
