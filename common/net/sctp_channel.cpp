#include "common/net/sctp_channel.hpp"

#include <linux/sctp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/connecting.hpp"
#include "common/net/meeting.hpp"
#include "common/net/message_inbox.hpp"
#include "common/net/port_search.hpp"
#include "common/net/reply_inbox.hpp"
#include "common/net/socket.hpp"
#include "common/net/socket_kind.hpp"
#include "common/net/socket_options.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr int kSendBuffer = 4 << 20;
constexpr int kReceiveBuffer = 8 << 20;
constexpr std::uint16_t kMostStreams = 65535;
static_assert(CMSG_SPACE(sizeof(sctp_sndinfo)) <= 64);

template <typename Value>
void require(const FileDescriptor& socket, int option, const Value& value, const char* what) {
    if (::setsockopt(socket.get(), IPPROTO_SCTP, option, &value, sizeof value) < 0) {
        const int error = errno;
        throw SystemError(std::string("set ") + what + " on a socket of SCTP", error);
    }
}

void ask_for_streams(const FileDescriptor& socket, std::uint16_t out, std::uint16_t most_in) {
    sctp_initmsg streams{};
    streams.sinit_num_ostreams = out;
    streams.sinit_max_instreams = most_in;
    require(socket, SCTP_INITMSG, streams, "the number of streams");
}

/// Partial reliability: messages that are not worth sending any more are given up (RFC 3758, RFC 7496).
void set_reliability(const FileDescriptor& socket, const TransportOptions& options) {
    sctp_default_prinfo policy{};
    if (options.lifetime) {
        policy.pr_policy = SCTP_PR_SCTP_TTL;
        policy.pr_value = static_cast<std::uint32_t>(
            std::chrono::duration_cast<std::chrono::milliseconds>(*options.lifetime).count());
    } else if (options.retransmissions) {
        policy.pr_policy = SCTP_PR_SCTP_RTX;
        policy.pr_value = *options.retransmissions;
    } else {
        return;
    }
    const sctp_assoc_value on{.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
    require(socket, SCTP_PR_SUPPORTED, on, "partial reliability");
    require(socket, SCTP_DEFAULT_PRINFO, policy, "partial reliability");
}

/// What both ends have agreed on.
std::uint16_t streams_of(const FileDescriptor& socket) {
    sctp_status status{};
    socklen_t size = sizeof status;
    checked("ask for the state of an SCTP association",
            ::getsockopt(socket.get(), IPPROTO_SCTP, SCTP_STATUS, &status, &size));
    return std::max<std::uint16_t>(1, status.sstat_outstrms);
}

}  // namespace

SctpChannel::SctpChannel(const ChannelSpec& spec) : to_(spec.to), socket_(channel_socket(spec)) {
    ask_for_buffer(socket_, SO_SNDBUF, kSendBuffer);
    set_option(socket_, IPPROTO_SCTP, SCTP_NODELAY, 1, "SCTP_NODELAY");  // a packet leaves when it is due
    remarks_ = apply_options(socket_, {spec.transport, to_.family(), SocketSide::sending}, spec.options);
    const auto asked = static_cast<std::uint16_t>(spec.options.streams.value_or(1));
    ask_for_streams(socket_, asked, kMostStreams);
    set_reliability(socket_, spec.options);
    reach(socket_, spec);
    streams_ = std::min(asked, streams_of(socket_));
    if (streams_ < asked) {
        remarks_.push_back("of " + std::to_string(asked) + " streams the receiver allowed " + std::to_string(streams_));
    }
    flags_ = spec.options.ordered.value_or(true) ? 0 : SCTP_UNORDERED;
    give_every_message_a_stream();
}

void SctpChannel::give_every_message_a_stream() noexcept {
    for (std::size_t i = 0; i < MessageBatch::kMost; ++i) {
        const std::span<std::byte> control = std::span(controls_[i].bytes).first(CMSG_SPACE(sizeof(sctp_sndinfo)));
        auto* const header = reinterpret_cast<cmsghdr*>(control.data());
        header->cmsg_level = IPPROTO_SCTP;
        header->cmsg_type = SCTP_SNDINFO;
        header->cmsg_len = CMSG_LEN(sizeof(sctp_sndinfo));
        set_stream(i, 0);
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
    return send_with_reports(socket_.get(), frames, [this](std::span<const Frame> rest) {
        const std::uint16_t first = next_stream_;
        for (std::size_t i = 0; streams_ > 1 and i < std::min(rest.size(), MessageBatch::kMost); ++i) {
            set_stream(i, static_cast<std::uint16_t>((first + i) % streams_));
        }
        const std::size_t sent = batch_.send(socket_.get(), rest);
        next_stream_ = static_cast<std::uint16_t>((first + sent) % streams_);
        return sent;
    });
}

// An association has no half that could be closed: the peer could not reply any more (RFC 6458, 4.1.7).
bool SctpChannel::finish(Nanos) noexcept {
    return replies_awaited_ or ::shutdown(socket_.get(), SHUT_WR) == 0;
}

std::unique_ptr<Inbox> SctpChannel::open_replies(const ReplySpec& spec) {
    replies_awaited_ = true;
    MessageReader reader(reply_inbox_spec(spec, Transport::sctp, to_), PacketKind::reply);
    return std::make_unique<ConnectedReplies<MessageReader>>(ReplyPlace{socket_.get(), local_address(), to_},
                                                             std::move(reader));
}

SocketAddress SctpChannel::local_address() const {
    return local_address_of(socket_.get());
}

void prepare_sctp_door(const FileDescriptor& socket, const TransportOptions& options) {
    ask_for_streams(socket, static_cast<std::uint16_t>(options.streams.value_or(1)), kMostStreams);
    set_reliability(socket, options);
}

std::unique_ptr<Inbox> open_sctp_inbox(const InboxSpec& spec) {
    FileDescriptor listener = open_flow_socket(Transport::sctp, spec.bind_to);
    ask_for_buffer(listener, SO_RCVBUF, kReceiveBuffer);
    ask_for_streams(listener, 1, kMostStreams);
    const sctp_assoc_value on{.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
    require(listener, SCTP_PR_SUPPORTED, on, "partial reliability");
    auto remarks =
        apply_options(listener, {spec.transport, spec.bind_to.family(), SocketSide::receiving}, spec.options);
    bind_in_range(listener, spec.bind_to, spec.expected_peer, spec.options.ports);
    return std::make_unique<MessageInbox>(spec, std::move(listener), std::move(remarks));
}

}  // namespace groma
