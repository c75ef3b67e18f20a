#include "common/net/udp/udp_channel.hpp"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/channel/meeting.hpp"
#include "common/net/channel/message_batch.hpp"
#include "common/net/channel/multicast.hpp"
#include "common/net/channel/reply_inbox.hpp"
#include "common/net/device/device_queues.hpp"
#include "common/net/socket/connecting.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"
#include "common/net/udp/datagram_batch.hpp"

namespace groma {

namespace {

constexpr int kSendBuffer = 4 << 20;

/// Whether several packets may go as one message over this socket. Linux has it for UDP from 4.18 on, and not for
/// UDP-Lite; a kernel without it would send such a message as one packet.
bool segments(const FileDescriptor& socket, const ChannelSpec& spec) {
    const int none = 0;
    return traits(spec.transport).segments and spec.options.segmentation != Segmentation::off and
           ::setsockopt(socket.get(), IPPROTO_UDP, UDP_SEGMENT, &none, sizeof none) == 0;
}

}  // namespace

UdpChannel::UdpChannel(const ChannelSpec& spec)
    : to_(spec.to), socket_(std::make_shared<const FileDescriptor>(channel_socket(spec))) {
    const FileDescriptor& socket = *socket_;
    ask_for_buffer(socket, SO_SNDBUF, kSendBuffer);
    report_errors(socket, to_.family());
    warnings_ = apply_options(socket, {spec.transport, to_.family(), SocketSide::sending}, spec.options);
    if (to_.is_multicast()) {
        prepare_group_sender(socket, spec.options, to_);
    }
    bind_source(socket, spec);
    connect_datagrams(socket, labelled(socket, to_, spec.options),
                      "send to " + to_.to_string() + " over " + std::string(traits(spec.transport).title));
    stamps_ = transmit_stamps(socket, spec, local_address());
    if (stamps_ and not stamps_->settings().warning.empty()) {
        warnings_.push_back(stamps_->settings().warning);
    }
    DeviceQueues own;
    DeviceQueues& queues = spec.queues != nullptr ? *spec.queues : own;
    departure_ = kernel_departure(socket, spec, local_address(), queues);
    // The time at which a packet left (sent_stamps) is told of messages, and so is the one at which it is to leave.
    if (not stamps_ and not departure_ and segments(socket, spec)) {
        segment_if_whole(queues.that_takes_apart({local_address(), to_, spec.options.device}));
    }
}

// `queue`: on the way, one that takes messages apart and does not say what it throws away of them.
void UdpChannel::segment_if_whole(const std::string& queue) {
    if (queue.empty()) {
        largest_segment_ = DatagramBatch::kMostBytes;
        return;
    }
    warnings_.push_back(
        "packets go through the kernel one by one, also those of a batch: the queue of this host's device (" + queue +
        ") takes messages apart and does not say what it throws away of them");
}

UdpChannel::UdpChannel(const std::shared_ptr<const FileDescriptor>& socket, const UdpChannel& first)
    : to_(first.to_), socket_(socket), largest_segment_(first.largest_segment_) {}

std::vector<std::unique_ptr<Channel>> open_udp_channels(std::span<const ChannelSpec> flows) {
    for (const ChannelSpec& flow : flows) {
        if (flow.options != flows.front().options) {
            throw UsageError("flows of one association share a socket: give them the same options");
        }
    }
    auto first = std::make_unique<UdpChannel>(flows.front());
    const UdpChannel& opened = *first;
    std::vector<std::unique_ptr<Channel>> channels;
    channels.reserve(flows.size());
    channels.push_back(std::move(first));
    while (channels.size() < flows.size()) {
        channels.push_back(std::make_unique<UdpChannel>(opened.socket_, opened));
    }
    return channels;
}

SendOutcome UdpChannel::send(std::span<const Frame> frames) noexcept {
    return departure_ ? hand_over(frames)
                      : send_with_reports(report_queue(socket_->get(), stamps_.get()), frames,
                                          [this](std::span<const Frame> rest) { return send_some(rest); });
}

// The queue's reports take their room from the receive buffer, and come as long as there is some: what there is, is
// read each time, and here only, so that none is forgotten uncounted. To have read a refusal keeps the next call from
// returning it.
SendOutcome UdpChannel::hand_over(std::span<const Frame> frames) noexcept {
    constexpr int kNobodys = -1;
    QueueReports reports;
    const bool counts_reports = departure_->reports_missed() and not stamps_;
    if (counts_reports) {
        reports = take_queue_reports(socket_->get());
        missed_ += reports.missed;
    }
    SendOutcome outcome =
        send_with_reports(counts_reports ? kNobodys : report_queue(socket_->get(), stamps_.get()), frames,
                          [this](std::span<const Frame> rest) { return departure_->send(socket_->get(), rest); });
    if (reports.refusal == ECONNREFUSED and outcome.status == SendStatus::sent) {
        outcome.status = SendStatus::refused;
        outcome.errno_value = reports.refusal;
    }
    return outcome;
}

bool UdpChannel::in_queue() const noexcept {
    int bytes = 0;
    return ::ioctl(socket_->get(), SIOCOUTQ, &bytes) == 0 and bytes > 0;
}

// MSG_PROBE (linux/socket.h; glibc has another name for the number) ends the call where the packet would be made:
// behind the system call, the socket, its route and its options.
void UdpChannel::warm_up() noexcept {
    constexpr int kProbe = 0x10;
    const std::byte nothing{};
    (void)::send(socket_->get(), &nothing, sizeof nothing, kProbe | MSG_DONTWAIT);
}

std::size_t UdpChannel::send_some(std::span<const Frame> frames) noexcept {
    DatagramBatch& batch = datagram_batch();
    std::size_t sent = batch.send(socket_->get(), frames, largest_segment_);
    while (sent == 0 and DatagramBatch::run_length(frames, largest_segment_) > 1 and
           segments_less(frames.front().size(), errno)) {
        sent = batch.send(socket_->get(), frames, largest_segment_);
    }
    return sent;
}

// What a message of several packets was refused for may not hold for each of them. Returns: whether it is worth a try.
bool UdpChannel::segments_less(std::size_t segment, int errno_value) noexcept {
    switch (errno_value) {
        case EINVAL:
        case EMSGSIZE:  // a packet of that size would have to be cut up on the way
            largest_segment_ = segment - 1;
            break;
        case EIO:  // what computes checksums, or IPsec, cannot do it
        case EOPNOTSUPP:
            largest_segment_ = 0;
            break;
        default:
            return false;
    }
    unsegmented_size_ = segment;
    unsegmented_errno_ = errno_value;
    return true;
}

std::vector<std::string> UdpChannel::warnings() const {
    std::vector<std::string> all = warnings_;
    if (unsegmented_errno_ != 0) {
        std::string warning = "packets of " + std::to_string(unsegmented_size_) + " bytes";
        warning.append(largest_segment_ > 0 ? " and more" : "");
        warning.append(" go through the kernel one by one, also those of a batch: it would not segment them (");
        warning.append(std::generic_category().message(unsegmented_errno_)).append(")");
        all.push_back(warning);
    }
    return all;
}

bool UdpChannel::finish(Nanos) noexcept {
    if (departure_ and not stamps_) {
        missed_ += take_queue_reports(socket_->get()).missed;
    }
    return true;  // nothing is ever held here, and UDP has no end to tell
}

std::optional<HeldDepartures> UdpChannel::held_departures() const {
    return departure_
               ? std::optional(HeldDepartures{departure_->queue().name, missed_ + (stamps_ ? stamps_->missed() : 0)})
               : std::nullopt;
}

std::unique_ptr<Inbox> UdpChannel::open_replies(const ReplySpec& spec, Clock& clock) {
    auto reader = std::make_unique<DatagramReader>(
        reply_inbox_spec(spec, Transport::udp, to_), *socket_, clock,
        DatagramFormat{.in_front = 0, .kind = PacketKind::reply, .leaves_reports = stamps_ != nullptr});
    return std::make_unique<DatagramReplies>(ReplyPlace{socket_->get(), local_address(), to_}, std::move(reader));
}

SocketAddress UdpChannel::local_address() const {
    return local_address_of(socket_->get());
}

std::uint64_t UdpChannel::send_buffer() const noexcept {
    return buffer_size(socket_->get(), SO_SNDBUF);
}

}  // namespace groma
