#include "common/net/socket/socket_kind.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

constexpr int kSockDccp = 6;  // not in the C library's headers of every system

int socket_type(Transport transport) {
    switch (traits(transport).socket) {
        case SocketType::datagram:
            return SOCK_DGRAM;
        case SocketType::stream:
            return SOCK_STREAM;
        case SocketType::raw:
            return SOCK_RAW;
        case SocketType::dccp:
            return kSockDccp;
    }
    return SOCK_DGRAM;
}

int socket_protocol(Transport transport, int family) {
    if (traits(transport).socket == SocketType::raw) {
        return ip_protocol_of(transport, family == AF_INET6);
    }
    return traits(transport).socket_protocol;
}

bool protocol_is_missing(int errno_value) {
    return errno_value == EPROTONOSUPPORT or errno_value == ESOCKTNOSUPPORT or errno_value == ENOPROTOOPT or
           errno_value == EINVAL;
}

std::string advice_for(Transport transport, int errno_value) {
    if (protocol_is_missing(errno_value)) {
        return std::string(traits(transport).missing);
    }
    switch (errno_value) {
        case EPERM:
        case EACCES:
            return "raw sockets take root or CAP_NET_RAW: setcap cap_net_raw+ep, or run as root";
        case EAFNOSUPPORT:
            return "this host has no such addresses, perhaps IPv6 is off: use the other kind";
        case EMFILE:
            return "raise the limit of open files: ulimit -n";
        default:
            return {};
    }
}

}  // namespace

FileDescriptor open_flow_socket(Transport transport, const SocketAddress& address) {
    FileDescriptor socket(::socket(address.family(), socket_type(transport) | SOCK_NONBLOCK | SOCK_CLOEXEC,
                                   socket_protocol(transport, address.family())));
    if (not socket.valid()) {
        const int error = errno;  // before the address is put into words, which may change it
        throw SystemError("open a socket for " + std::string(traits(transport).title) + " with " + address.to_string(),
                          error, advice_for(transport, error));
    }
    return socket;
}

}  // namespace groma
