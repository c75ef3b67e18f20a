#include "common/net/message/sctp_channel.hpp"

#include <linux/sctp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/net/channel/reply_inbox.hpp"
#include "common/net/message/message_inbox.hpp"
#include "common/net/socket/port_search.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"

namespace groma {

namespace {

constexpr int kReceiveBuffer = 8 << 20;
static_assert(CMSG_SPACE(sizeof(sctp_sndinfo)) + CMSG_SPACE(sizeof(sctp_prinfo)) <= 64);

/// Messages that are not worth sending any more are given up (RFC 3758, RFC 7496).
sctp_prinfo policy_of(const TransportOptions& options) {
    sctp_prinfo policy{};
    if (options.lifetime) {
        policy.pr_policy = SCTP_PR_SCTP_TTL;
        policy.pr_value = static_cast<std::uint32_t>(
            std::chrono::duration_cast<std::chrono::milliseconds>(*options.lifetime).count());
    } else if (options.retransmissions) {
        policy.pr_policy = SCTP_PR_SCTP_RTX;
        policy.pr_value = *options.retransmissions;
    }
    return policy;
}

template <typename Value>
void put(cmsghdr* part, int type, const Value& value) noexcept {
    part->cmsg_level = IPPROTO_SCTP;
    part->cmsg_type = type;
    part->cmsg_len = CMSG_LEN(sizeof value);
    std::memcpy(CMSG_DATA(part), &value, sizeof value);
}

}  // namespace

SctpChannel::SctpChannel(const ChannelSpec& spec, Clock& clock)
    : SctpChannel(spec, std::make_shared<SctpAssociation>(std::span(&spec, 1), clock), 0) {}

SctpChannel::SctpChannel(const ChannelSpec& spec, std::shared_ptr<SctpAssociation> association,
                         std::uint32_t first_stream)
    : to_(spec.to),
      association_(std::move(association)),
      first_stream_(first_stream),
      streams_(std::min(sctp_streams(spec.options), association_->streams() - first_stream)),
      flags_(spec.options.ordered.value_or(true) ? 0 : SCTP_UNORDERED) {
    if (first_stream == 0) {  // what is to be said of the socket is said once
        warnings_ = association_->warnings();
    }
    give_every_message_its_controls(spec.options);
}

// What a message says of itself holds alone: the socket's own policy counts only for messages that say nothing.
void SctpChannel::give_every_message_its_controls(const TransportOptions& options) noexcept {
    const sctp_prinfo policy = policy_of(options);
    for (std::size_t i = 0; i < MessageBatch::kMost; ++i) {
        std::span<std::byte> control = std::span(controls_[i].bytes).first(CMSG_SPACE(sizeof(sctp_sndinfo)));
        put(reinterpret_cast<cmsghdr*>(control.data()), SCTP_SNDINFO, sctp_sndinfo{});
        set_stream(i, static_cast<std::uint16_t>(first_stream_));
        if (policy.pr_policy != SCTP_PR_SCTP_NONE) {
            put(reinterpret_cast<cmsghdr*>(control.data() + control.size()), SCTP_PRINFO, policy);
            control = std::span(controls_[i].bytes).first(control.size() + CMSG_SPACE(sizeof policy));
        }
        batch_.set_control(i, control);
    }
}

void SctpChannel::set_stream(std::size_t index, std::uint16_t stream) noexcept {
    sctp_sndinfo info{};
    info.snd_sid = stream;
    info.snd_flags = flags_;
    std::memcpy(CMSG_DATA(reinterpret_cast<cmsghdr*>(controls_[index].bytes.data())), &info, sizeof info);
}

SendOutcome SctpChannel::send(std::span<const Frame> frames) noexcept {
    return send_with_reports(association_->fd(), frames, [this](std::span<const Frame> rest) {
        const std::uint32_t first = next_stream_;
        for (std::size_t i = 0; streams_ > 1 and i < std::min(rest.size(), MessageBatch::kMost); ++i) {
            set_stream(i, static_cast<std::uint16_t>(first_stream_ + (first + i) % streams_));
        }
        const std::size_t sent = batch_.send(association_->fd(), rest);
        next_stream_ = static_cast<std::uint32_t>((first + sent) % streams_);
        return sent;
    });
}

// An association has no half that could be closed: the peer could not reply any more (RFC 6458, 4.1.7).
bool SctpChannel::finish(Nanos) noexcept {
    return replies_awaited_ or association_->leave();
}

std::unique_ptr<Inbox> SctpChannel::open_replies(const ReplySpec& spec, Clock& clock) {
    replies_awaited_ = true;
    MessageReader reader(reply_inbox_spec(spec, Transport::sctp, to_), PacketKind::reply, clock);
    return std::make_unique<ConnectedReplies<MessageReader>>(ReplyPlace{association_->fd(), local_address(), to_},
                                                             std::move(reader));
}

SocketAddress SctpChannel::local_address() const {
    return local_address_of(association_->fd());
}

std::vector<std::unique_ptr<Channel>> open_sctp_channels(std::span<const ChannelSpec> flows, Clock& clock) {
    // Shared by the channels of all flows; the last of them closes it.
    const auto association = std::make_shared<SctpAssociation>(flows, clock);
    std::vector<std::unique_ptr<Channel>> channels;
    std::uint32_t first_stream = 0;
    for (const ChannelSpec& flow : flows) {
        channels.push_back(std::make_unique<SctpChannel>(flow, association, first_stream));
        first_stream += sctp_streams(flow.options);
    }
    return channels;
}

void prepare_sctp_listener(const FileDescriptor& socket, const TransportOptions& options) {
    ask_for_sctp_streams(socket, sctp_streams(options));
    if (options.lifetime or options.retransmissions) {
        allow_partial_reliability(socket);
    }
}

std::unique_ptr<Inbox> open_sctp_inbox(const InboxSpec& spec, Clock& clock) {
    FileDescriptor listener = open_flow_socket(Transport::sctp, spec.bind_to);
    ask_for_buffer(listener, SO_RCVBUF, kReceiveBuffer);
    ask_for_sctp_streams(listener, 1);
    allow_partial_reliability(listener);
    if (spec.options.association) {
        set_option(listener, IPPROTO_SCTP, SCTP_RECVRCVINFO, 1, "SCTP_RECVRCVINFO");
    }
    auto warnings =
        apply_options(listener, {spec.transport, spec.bind_to.family(), SocketSide::receiving}, spec.options);
    bind_in_range(listener, spec.bind_to, spec.expected_peer, spec.options.ports);
    return std::make_unique<MessageInbox>(spec, std::move(listener), std::move(warnings), clock);
}

}  // namespace groma
