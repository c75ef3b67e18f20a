#include "common/net/transport_support.hpp"

#include "common/base/errors.hpp"
#include "common/net/icmp/icmp_socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/user_sctp/user_sctp.hpp"

namespace groma {

namespace {

/// Why `open` cannot open a socket; empty when it can.
template <typename Open>
std::string fault_of(const Open& open) {
    try {
        (void)open();
        return {};
    } catch (const SystemError& error) {
        return error.what();
    }
}

}  // namespace

std::string receiving_fault(Transport transport, const SocketAddress& address) {
    if (transport == Transport::usrsctp) {
        return user_sctp_fault();
    }
    return fault_of([&] { return open_flow_socket(transport, address); });
}

std::string sending_fault(Transport transport, const SocketAddress& address) {
    return fault_of([&] {
        return transport == Transport::icmp ? open_echo_sender(address) : open_flow_socket(transport, address);
    });
}

}  // namespace groma
