#include "common/net/stream/tcp_channel.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/channel/meeting.hpp"
#include "common/net/channel/reply_inbox.hpp"
#include "common/net/socket/connecting.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"

namespace groma {

namespace {

SendOutcome failure(int errno_value) noexcept {
    switch (errno_value) {
        case EAGAIN:
        case EINTR:
            return {.sent = 0, .status = SendStatus::would_block, .errno_value = errno_value};
        case ENOBUFS:
        case ENOMEM:
            return {.sent = 0, .status = SendStatus::dropped, .errno_value = errno_value};
        case EPIPE:
        case ECONNRESET:
        case ECONNREFUSED:
        case ETIMEDOUT:
        case EHOSTUNREACH:
        case ENETUNREACH:
        case ENOTCONN:
            return {.sent = 0, .status = SendStatus::closed, .errno_value = errno_value};
        default:
            return {.sent = 0, .status = SendStatus::failed, .errno_value = errno_value};
    }
}

/// How many of the frames, from the first, can be framed at all.
std::size_t possible(std::span<const Frame> frames) noexcept {
    const auto impossible = std::ranges::find_if(
        frames, [](const Frame& frame) { return frame.size() == 0 or frame.size() > kMaxStreamFrame; });
    return static_cast<std::size_t>(impossible - frames.begin());
}

}  // namespace

TcpChannel::TcpChannel(const ChannelSpec& spec, Clock& clock)
    : to_(spec.to),
      clock_(clock),
      socket_(channel_socket(spec)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kMaxStreamFrame)) {
    set_option(socket_, IPPROTO_TCP, TCP_NODELAY, 1, "TCP_NODELAY");  // a packet leaves when it is due, however small
    warnings_ = apply_options(socket_, {spec.transport, to_.family(), SocketSide::sending}, spec.options);
    reach(socket_, spec, clock_);
}

SendOutcome TcpChannel::send(std::span<const Frame> frames) noexcept {
    SendOutcome outcome = flush();
    while (outcome.status == SendStatus::sent and outcome.sent < frames.size()) {
        if (holding()) {  // the last one went in part: the socket is full
            outcome.status = SendStatus::would_block;
            outcome.errno_value = EAGAIN;
            break;
        }
        const SendOutcome some = send_some(frames.subspan(outcome.sent));
        outcome = {.sent = outcome.sent + some.sent, .status = some.status, .errno_value = some.errno_value};
    }
    return outcome;
}

SendOutcome TcpChannel::flush() noexcept {
    while (holding()) {
        const ssize_t taken = ::send(socket_.get(), held_.data(), held_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (taken < 0) {
            SendOutcome outcome = failure(errno);
            if (outcome.status == SendStatus::dropped) {  // what is held is not lost: it can be tried again
                outcome.status = SendStatus::would_block;
            }
            return outcome;
        }
        held_ = held_.subspan(static_cast<std::size_t>(taken));
    }
    return {};
}

SendOutcome TcpChannel::send_some(std::span<const Frame> frames) noexcept {
    const std::size_t count = possible(frames.first(std::min(frames.size(), kBatch)));
    if (count == 0) {
        return {.sent = 0, .status = SendStatus::too_big, .errno_value = EMSGSIZE};
    }
    for (std::size_t i = 0; i < count; ++i) {
        lay_out(i, frames[i]);
    }
    msghdr message{};
    message.msg_iov = pieces_.data();
    message.msg_iovlen = kPieces * count;
    const ssize_t result = ::sendmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (result < 0) {
        return failure(errno);
    }
    auto taken = static_cast<std::size_t>(result);
    std::size_t sent = 0;
    while (sent < count and taken >= frames[sent].size()) {
        taken -= frames[sent].size();
        ++sent;
    }
    if (taken > 0) {
        hold(sent, taken);
        ++sent;
    }
    return {.sent = sent, .status = SendStatus::sent, .errno_value = 0};
}

// The length takes its room from the rest, and from the header where there is no rest: what is left of a header that
// was made too long is still a prefix.
void TcpChannel::lay_out(std::size_t index, const Frame& frame) noexcept {
    const std::size_t size = frame.size();
    const std::size_t length = serialize_stream_length(size, lengths_[index]);
    const std::size_t header = std::min<std::size_t>(frame.header_bytes, size - length);
    pieces_[kPieces * index] = as_iovec(std::span(lengths_[index]).first(length));
    pieces_[kPieces * index + 1] = as_iovec(std::span(frame.header).first(header));
    pieces_[kPieces * index + 2] = as_iovec(frame.rest.first(size - length - header));
}

void TcpChannel::hold(std::size_t index, std::size_t taken) noexcept {
    std::size_t size = 0;
    for (std::size_t i = 0; i < kPieces; ++i) {
        const iovec& part = pieces_[kPieces * index + i];
        const std::size_t skip = std::min(taken, part.iov_len);
        taken -= skip;
        std::copy_n(static_cast<const std::byte*>(part.iov_base) + skip, part.iov_len - skip, &buffer_[size]);
        size += part.iov_len - skip;
    }
    held_ = std::span(buffer_.get(), size);
}

// Where the kernel refuses it, more has to drain at the end.
void TcpChannel::limit_unsent(std::size_t bytes) noexcept {
    const auto most = static_cast<int>(bytes);
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most, sizeof most);
}

bool TcpChannel::finish(Nanos limit) noexcept {
    const Deadline deadline{clock_.now() + limit, clock_};
    while (flush().status == SendStatus::would_block and clock_.now() < deadline.at) {
        if (not wait_until_writable(socket_.get(), deadline)) {
            break;
        }
    }
    const bool all = not holding();
    return ::shutdown(socket_.get(), SHUT_WR) == 0 and all;
}

std::unique_ptr<Inbox> TcpChannel::open_replies(const ReplySpec& spec, Clock& clock) {
    return std::make_unique<ConnectedReplies<StreamReader>>(
        ReplyPlace{socket_.get(), local_address(), to_},
        StreamReader(spec.flow, {spec.header, spec.seal}, PacketKind::reply, clock));
}

SocketAddress TcpChannel::local_address() const {
    return local_address_of(socket_.get());
}

}  // namespace groma
