#include "common/net/message/message_inbox.hpp"

#include <sys/socket.h>

#include <utility>

#include "common/net/socket/connection_state.hpp"

namespace groma {

MessageInbox::MessageInbox(const InboxSpec& spec, FileDescriptor listener, std::vector<std::string> warnings,
                           Clock& clock)
    : dccp_(spec.transport == Transport::dccp),
      warnings_(std::move(warnings)),
      connection_(std::move(listener), spec.expected_peer, spec.dial),
      reader_(spec, PacketKind::packet, clock),
      replies_(spec.meter == Meter::round_trip ? std::make_unique<ReplyBatch>(spec.format(), clock) : nullptr) {}

std::size_t MessageInbox::drain(std::span<Arrival> out) noexcept {
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

std::optional<ConnectionSample> MessageInbox::sample() const noexcept {
    const int fd = connection_.sampled_fd();
    return dccp_ ? dccp_state(fd) : sctp_state(fd);
}

ReflectOutcome MessageInbox::reflect(std::span<const Arrival> arrivals) noexcept {
    return replies_->send(connection_.fd(), arrivals);
}

}  // namespace groma
