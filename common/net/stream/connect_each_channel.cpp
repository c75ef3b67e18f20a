#include "common/net/stream/connect_each_channel.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/net/socket/connecting.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"
#include "common/wire/stream_frame.hpp"

namespace groma {

namespace {

constexpr SizeLimits kRequests{.smallest = 1, .largest = kMostRequestsPerConnection};

/// The address from which this host reaches `to`.
SocketAddress address_towards(const SocketAddress& to, TransportOptions options) {
    options.source_port.reset();
    options.source_ports.reset();
    const FileDescriptor socket = open_socket(to, SOCK_DGRAM);
    bind_to_source(socket, options, to);
    connect_datagrams(socket, to, "find the way to " + to.to_string());
    return local_address_of(socket.get()).with_port(0);
}

/// The responses of the channel's connections.
class ConnectEachReplies final : public Inbox {
public:
    ConnectEachReplies(ConnectEachChannel& channel, StreamReader reader)
        : channel_(channel), reader_(std::move(reader)) {}

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override { return channel_.drain(reader_, out); }
    [[nodiscard]] InboxState state() const noexcept override { return InboxState::open; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return reader_.counts(); }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "user"; }
    [[nodiscard]] int fd() const noexcept override { return channel_.fd(); }
    [[nodiscard]] SocketAddress local_address() const override { return channel_.local_address(); }
    [[nodiscard]] SocketAddress remote_address() const override { return channel_.remote_address(); }

private:
    ConnectEachChannel& channel_;
    StreamReader reader_;
};

}  // namespace

ConnectEachChannel::ConnectEachChannel(const ChannelSpec& spec, Clock& clock)
    : transport_(spec.transport),
      options_(spec.options),
      to_(spec.to),
      clock_(clock),
      requests_(*spec.requests_per_connection, kRequests, spec.connection_seed),
      local_(address_towards(spec.to, spec.options)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kMaxStreamFrame)) {
    (void)new_socket(warnings_);
}

FileDescriptor ConnectEachChannel::new_socket(std::vector<std::string>& warnings) const {
    FileDescriptor socket = open_flow_socket(transport_, to_);
    set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1, "TCP_NODELAY");  // as TcpChannel
    warnings = apply_options(socket, {transport_, to_.family(), SocketSide::sending}, options_);
    bind_to_source(socket, options_, to_);
    const linger reset{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    return socket;
}

/// Returns: 0, also when the connection is not there yet, or the errno of the attempt.
int ConnectEachChannel::connect() noexcept {
    close();
    restart_ = true;
    since_ = clock_.now();
    requests_left_ = requests_.draw(draws_);
    try {
        std::vector<std::string> known;
        socket_ = new_socket(known);
        const SocketAddress to = labelled(socket_, to_, options_);
        if (::connect(socket_.get(), to.data(), to.size()) < 0 and errno != EINPROGRESS) {
            return errno;
        }
    } catch (const SystemError& error) {
        return error.errno_value();
    } catch (const std::exception&) {
        return ENOMEM;
    }
    counts_.connecting = true;
    return 0;
}

SendOutcome ConnectEachChannel::send(std::span<const Frame> frames) noexcept {
    if (frames.empty()) {
        return {.sent = 0, .status = flush()};
    }
    const std::size_t size = frames.front().size();
    if (size == 0 or size > kMaxStreamFrame) {
        return {.sent = 0, .status = SendStatus::too_big, .errno_value = EMSGSIZE};
    }
    if (std::exchange(waiting_, true)) {
        close();
    }
    if (not socket_.valid() or requests_left_ == 0) {
        if (const int error = connect(); error != 0) {
            fail(error);
            return {.sent = 1};
        }
    }
    --requests_left_;
    hold(frames.front());
    return {.sent = 1, .status = flush()};
}

void ConnectEachChannel::hold(const Frame& frame) noexcept {
    const std::size_t size = frame.size();
    const std::size_t length =
        serialize_stream_length(size, std::span(buffer_.get(), kMaxStreamLengthBytes).first<kMaxStreamLengthBytes>());
    const std::size_t header = std::min<std::size_t>(frame.header_bytes, size - length);
    std::copy_n(frame.header.data(), header, &buffer_[length]);
    std::ranges::copy(frame.rest.first(size - length - header), &buffer_[length + header]);
    held_ = std::span(buffer_.get(), size);
}

/// What is held goes as soon as there is a connection: until then send(2) says EAGAIN.
SendStatus ConnectEachChannel::flush() noexcept {
    while (holding()) {
        const ssize_t taken = ::send(socket_.get(), held_.data(), held_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (taken < 0 and (errno == EAGAIN or errno == EINTR or errno == ENOBUFS or errno == ENOMEM)) {
            return SendStatus::would_block;
        }
        if (taken < 0) {
            fail(errno);
            break;
        }
        if (std::exchange(counts_.connecting, false)) {
            ++counts_.made;
            counts_.last_took = clock_.now() - since_;
        }
        held_ = held_.subspan(static_cast<std::size_t>(taken));
    }
    return SendStatus::sent;
}

std::size_t ConnectEachChannel::drain(StreamReader& reader, std::span<Arrival> out) noexcept {
    (void)flush();
    if (std::exchange(restart_, false)) {
        reader.restart();
    }
    if (not socket_.valid() or counts_.connecting) {
        return 0;
    }
    const std::size_t count = reader.drain(socket_.get(), out);
    if (count > 0) {
        waiting_ = false;
    }
    if (reader.state() != InboxState::open and waiting_) {
        fail(0);
    } else if (reader.state() != InboxState::open or (count > 0 and requests_left_ == 0)) {
        close();
    }
    return count;
}

void ConnectEachChannel::fail(int errno_value) noexcept {
    if (counts_.failed++ == 0) {
        first_error_ = errno_value;
    }
    waiting_ = false;
    close();
}

void ConnectEachChannel::close() noexcept {
    socket_.reset();
    held_ = {};
    counts_.connecting = false;
    requests_left_ = 0;
}

bool ConnectEachChannel::finish(Nanos /*limit*/) noexcept {
    if (holding()) {
        fail(ETIMEDOUT);
    }
    close();
    return true;
}

std::unique_ptr<Inbox> ConnectEachChannel::open_replies(const ReplySpec& spec, Clock& clock) {
    return std::make_unique<ConnectEachReplies>(
        *this, StreamReader(spec.flow, {spec.header, spec.seal}, PacketKind::reply, clock));
}

std::vector<std::string> ConnectEachChannel::warnings() const {
    std::vector<std::string> all = warnings_;
    if (counts_.failed > 0) {
        all.push_back(counted(counts_.failed, "connection") + " to " + to_.to_string() + " failed; the first: " +
                      (first_error_ == 0 ? "closed by the receiver before its response"
                                         : std::generic_category().message(first_error_)));
    }
    return all;
}

}  // namespace groma
