#include "common/net/socket/socket_kind.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

// Not in the C library's headers of every system.
constexpr int kSockDccp = 6;
constexpr int kProtocolDccp = 33;
constexpr int kProtocolSctp = 132;
constexpr int kProtocolUdpLite = 136;
constexpr int kProtocolMptcp = 262;

struct Kind {
    int type = SOCK_DGRAM;
    int protocol = 0;
};

Kind kind_of(Transport transport, int family) {
    switch (transport) {
        case Transport::udp:
            return {SOCK_DGRAM, 0};
        case Transport::tcp:
            return {SOCK_STREAM, 0};
        case Transport::icmp:
            return {SOCK_RAW, family == AF_INET6 ? static_cast<int>(IPPROTO_ICMPV6) : static_cast<int>(IPPROTO_ICMP)};
        case Transport::sctp:
            return {SOCK_STREAM, kProtocolSctp};
        case Transport::dccp:
            return {kSockDccp, kProtocolDccp};
        case Transport::udplite:
            return {SOCK_DGRAM, kProtocolUdpLite};
        case Transport::mptcp:
            return {SOCK_STREAM, kProtocolMptcp};
        case Transport::usrsctp:
            return {SOCK_DGRAM, 0};
    }
    return {};
}

bool protocol_is_missing(int errno_value) {
    return errno_value == EPROTONOSUPPORT or errno_value == ESOCKTNOSUPPORT or errno_value == ENOPROTOOPT or
           errno_value == EINVAL;
}

std::string missing_advice(Transport transport) {
    switch (transport) {
        case Transport::sctp:
            return "this kernel has no SCTP: modprobe sctp, or a kernel with CONFIG_IP_SCTP";
        case Transport::dccp:
            return "this kernel has no DCCP: modprobe dccp_ipv4 dccp_ipv6; Linux 6.16 and later have none";
        case Transport::udplite:
            return "this kernel has no UDP-Lite";
        case Transport::mptcp:
            return "this kernel has no MPTCP, or it is off: sysctl net.mptcp.enabled=1";
        default:
            return "this kernel does not have it";
    }
}

std::string advice_for(Transport transport, int errno_value) {
    if (protocol_is_missing(errno_value)) {
        return missing_advice(transport);
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
    const Kind kind = kind_of(transport, address.family());
    FileDescriptor socket(::socket(address.family(), kind.type | SOCK_NONBLOCK | SOCK_CLOEXEC, kind.protocol));
    if (not socket.valid()) {
        const int error = errno;  // before the address is put into words, which may change it
        throw SystemError("open a socket for " + std::string(traits(transport).title) + " with " + address.to_string(),
                          error, advice_for(transport, error));
    }
    return socket;
}

}  // namespace groma
