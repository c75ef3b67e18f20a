#include "common/net/tcp_inbox.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "common/net/socket.hpp"
#include "common/net/socket_kind.hpp"
#include "common/net/socket_options.hpp"
#include "common/os/system_clock.hpp"

namespace groma {

namespace {

FileDescriptor bound_listener(const InboxSpec& spec, std::vector<std::string>& remarks) {
    FileDescriptor listener = open_flow_socket(spec.transport, spec.bind_to);
    set_option(listener, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");  // over connections that linger, not listeners
    remarks = apply_options(listener, {spec.transport, spec.bind_to.family(), SocketSide::receiving}, spec.options);
    bind_socket(listener, spec.bind_to, spec.expected_peer);
    return listener;
}

}  // namespace

TcpInbox::TcpInbox(const InboxSpec& spec)
    : flow_(spec.flow),
      connection_(bound_listener(spec, remarks_), spec.expected_peer, spec.dial),
      parser_(spec.header),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kBufferSize)) {}

std::size_t TcpInbox::drain(std::span<Arrival> out) noexcept {
    if (not connection_.connected(counts_.foreign)) {
        return 0;
    }
    std::size_t filled = parse(out);
    while (filled < out.size() and state_ == InboxState::open and read_more()) {
        filled += parse(out.subspan(filled));
    }
    return filled;
}

/// Returns: false when there is nothing to read for now, or ever again.
bool TcpInbox::read_more() noexcept {
    const ssize_t count = ::recv(connection_.fd(), buffer_.get(), kBufferSize, MSG_DONTWAIT);
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
    ::shutdown(connection_.fd(), SHUT_RDWR);  // a peer that goes on sending learns that nobody reads
}

}  // namespace groma
