#include "common/net/tcp_inbox.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/socket.hpp"
#include "common/os/system_clock.hpp"

namespace groma {

namespace {

constexpr int kBacklog = 8;
/// Connections looked at in one drain(), so that a flood of foreign ones cannot keep it for ever.
constexpr int kMostAccepted = 64;

}  // namespace

TcpInbox::TcpInbox(const InboxSpec& spec)
    : flow_(spec.flow),
      expected_(spec.expected_peer),
      listener_(open_socket(spec.bind_to, SOCK_STREAM)),
      parser_(spec.header),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kBufferSize)) {
    set_option(listener_, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");  // over connections that linger, not listeners
    bind_socket(listener_, spec.bind_to, spec.expected_peer);
    if (::listen(listener_.get(), kBacklog) < 0) {
        const int error = errno;
        throw SystemError("listen on " + spec.bind_to.to_string(), error,
                          "another program has this port: choose another");
    }
    local_ = local_address_of(listener_.get());
}

std::size_t TcpInbox::drain(std::span<Arrival> out) noexcept {
    if (not connected()) {
        return 0;
    }
    std::size_t filled = parse(out);
    while (filled < out.size() and state_ == InboxState::open and read_more()) {
        filled += parse(out.subspan(filled));
    }
    return filled;
}

bool TcpInbox::connected() noexcept {
    for (int i = 0; i < kMostAccepted and not connection_.valid(); ++i) {
        sockaddr_storage storage{};
        socklen_t size = sizeof storage;
        auto* const address = reinterpret_cast<sockaddr*>(&storage);
        FileDescriptor accepted(::accept4(listener_.get(), address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (not accepted.valid()) {
            break;
        }
        const SocketAddress peer(address, size);
        if (not peer.same_host(expected_)) {
            ++counts_.foreign;
            continue;
        }
        remote_ = peer;
        connection_ = std::move(accepted);
        local_ = local_address_of(connection_.get());
        listener_.reset();
    }
    return connection_.valid();
}

/// Returns: false when there is nothing to read for now, or ever again.
bool TcpInbox::read_more() noexcept {
    const ssize_t count = ::recv(connection_.get(), buffer_.get(), kBufferSize, MSG_DONTWAIT);
    if (count > 0) {
        read_at_ = SystemClock().wall_now();
        unread_ = std::span(buffer_.get(), static_cast<std::size_t>(count));
        return true;
    }
    if (count == 0) {
        end(parser_.within_frame() ? InboxState::broken : InboxState::ended);
    } else if (errno != EAGAIN and errno != EINTR) {
        end(InboxState::broken);
    }
    return false;
}

std::size_t TcpInbox::parse(std::span<Arrival> out) noexcept {
    std::size_t filled = 0;
    while (filled < out.size()) {
        const auto frame = parser_.next(unread_);
        if (not frame) {
            break;
        }
        if (not frame->header or frame->header->flow.value_or(flow_) != flow_) {
            ++counts_.malformed;
            continue;
        }
        out[filled++] = {.received_at = read_at_, .header = *frame->header, .size = frame->size};
    }
    if (parser_.failed() and state_ == InboxState::open) {
        ++counts_.malformed;
        end(InboxState::broken);
    }
    return filled;
}

void TcpInbox::end(InboxState state) noexcept {
    state_ = state;
    ::shutdown(connection_.get(), SHUT_RDWR);  // a peer that goes on sending learns that nobody reads
}

}  // namespace groma
