#include "common/net/stream/tcp_inbox.hpp"

#include <sys/socket.h>

#include <utility>

#include "common/net/socket/port_search.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"

namespace groma {

FileDescriptor bound_inbox_listener(const InboxSpec& spec, std::vector<std::string>& warnings) {
    FileDescriptor listener = open_flow_socket(spec.transport, spec.bind_to);
    set_option(listener, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");  // over connections that linger, not listeners
    warnings = apply_options(listener, {spec.transport, spec.bind_to.family(), SocketSide::receiving}, spec.options);
    bind_in_range(listener, spec.bind_to, spec.expected_peer, spec.options.ports);
    return listener;
}

TcpInbox::TcpInbox(const InboxSpec& spec, Clock& clock)
    : connection_(bound_inbox_listener(spec, warnings_), spec.expected_peer, spec.dial),
      reader_(spec.flow, spec.format(), PacketKind::packet, clock),
      replies_(spec.meter == Meter::round_trip ? std::make_unique<ReplyStream>(spec.format(), clock) : nullptr) {}

std::size_t TcpInbox::drain(std::span<Arrival> out) noexcept {
    if (not connection_.connected(reader_.foreign())) {
        return 0;
    }
    const std::size_t count = reader_.drain(connection_.fd(), out);
    const bool over = state() == InboxState::broken or (state() == InboxState::ended and not replies_);
    if (over and not std::exchange(ended_, true)) {
        ::shutdown(connection_.fd(), SHUT_RDWR);  // a peer that goes on sending learns that nobody reads
    }
    return count;
}

ReflectOutcome TcpInbox::reflect(std::span<const Arrival> arrivals) noexcept {
    return replies_->send(connection_.fd(), arrivals);
}

}  // namespace groma
