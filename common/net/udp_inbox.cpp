#include "common/net/udp_inbox.hpp"

#include <sys/socket.h>

#include "common/net/socket.hpp"
#include "common/net/socket_kind.hpp"
#include "common/net/socket_options.hpp"

namespace groma {

UdpInbox::UdpInbox(const InboxSpec& spec)
    : socket_(open_flow_socket(spec.transport, spec.bind_to)), reader_(spec, socket_) {
    remarks_ = apply_options(socket_, {spec.transport, spec.bind_to.family(), SocketSide::receiving}, spec.options);
    bind_socket(socket_, spec.bind_to, spec.expected_peer);
}

SocketAddress UdpInbox::local_address() const {
    return local_address_of(socket_.get());
}

std::uint64_t UdpInbox::receive_buffer() const noexcept {
    return buffer_size(socket_, SO_RCVBUF);
}

}  // namespace groma
