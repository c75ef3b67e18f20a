#include "common/net/icmp_inbox.hpp"

#include <sys/socket.h>

#include "common/net/icmp_packet.hpp"
#include "common/net/socket.hpp"
#include "common/net/socket_options.hpp"

namespace groma {

namespace {

/// On [::] an IPv4 peer is heard by a socket of IPv4: raw sockets of IPv6 do not take it in.
SocketAddress address_to_bind(const InboxSpec& spec) {
    const SocketAddress& asked = spec.bind_to;
    return asked.is_unspecified() and spec.expected_peer.is_ipv4()
               ? SocketAddress::from_literal("0.0.0.0", asked.port())
               : asked;
}

}  // namespace

IcmpInbox::IcmpInbox(const InboxSpec& spec)
    : held_(hold_identifier(address_to_bind(spec))),
      local_(address_to_bind(spec).with_port(held_.identifier)),
      socket_(open_echo_receiver(local_.family(), held_.identifier)),
      reader_(spec, socket_, local_.family() == AF_INET6 ? kIcmpHeaderSize : DatagramReader::kIpHeaderAndIcmp) {
    remarks_ = apply_options(socket_, {spec.transport, local_.family(), SocketSide::receiving}, spec.options);
    const SocketAddress host = local_.with_port(0);
    bind_socket(socket_, host, spec.expected_peer);
}

}  // namespace groma
