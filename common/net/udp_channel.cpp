#include "common/net/udp_channel.hpp"

#include <utility>

#include "common/net/connecting.hpp"
#include "common/net/meeting.hpp"
#include "common/net/multicast.hpp"
#include "common/net/reply_inbox.hpp"
#include "common/net/socket.hpp"
#include "common/net/socket_kind.hpp"
#include "common/net/socket_options.hpp"

namespace groma {

namespace {

constexpr int kSendBuffer = 4 << 20;

}  // namespace

UdpChannel::UdpChannel(const ChannelSpec& spec) : to_(spec.to), socket_(channel_socket(spec)) {
    ask_for_buffer(socket_, SO_SNDBUF, kSendBuffer);
    report_errors(socket_, to_.family());
    remarks_ = apply_options(socket_, {spec.transport, to_.family(), SocketSide::sending}, spec.options);
    if (is_multicast(to_)) {
        prepare_group_sender(socket_, spec.options, to_);
    }
    bind_source(socket_, spec);
    connect_datagrams(socket_, labelled(socket_, to_, spec.options),
                      "send to " + to_.to_string() + " over " + std::string(traits(spec.transport).title));
    stamps_ = transmit_stamps(socket_, spec, local_address());
    if (stamps_ and not stamps_->settings().remark.empty()) {
        remarks_.push_back(stamps_->settings().remark);
    }
}

SendOutcome UdpChannel::send(std::span<const Frame> frames) noexcept {
    return send_with_reports(report_queue(socket_.get(), stamps_.get()), frames,
                             [this](std::span<const Frame> rest) { return batch_.send(socket_.get(), rest); });
}

bool UdpChannel::finish(Nanos) noexcept {
    return true;  // nothing is ever held, and UDP has no end to tell
}

std::unique_ptr<Inbox> UdpChannel::open_replies(const ReplySpec& spec) {
    auto reader = std::make_unique<DatagramReader>(
        reply_inbox_spec(spec, Transport::udp, to_), socket_,
        DatagramFormat{.in_front = 0, .kind = PacketKind::reply, .leaves_reports = stamps_ != nullptr});
    return std::make_unique<DatagramReplies>(ReplyPlace{socket_.get(), local_address(), to_}, std::move(reader));
}

SocketAddress UdpChannel::local_address() const {
    return local_address_of(socket_.get());
}

std::uint64_t UdpChannel::send_buffer() const noexcept {
    return buffer_size(socket_, SO_SNDBUF);
}

}  // namespace groma
