#include "common/net/icmp_socket.hpp"

#include <linux/filter.h>
#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>

#include <array>
#include <cerrno>

#include "common/base/errors.hpp"
#include "common/net/icmp_packet.hpp"
#include "common/net/socket.hpp"
#include "common/net/socket_kind.hpp"
#include "common/net/socket_options.hpp"

namespace groma {

namespace {

constexpr const char* kPingAdvice =
    "sending ICMP takes root, CAP_NET_RAW, or a group in sysctl net.ipv4.ping_group_range";

void attach(const FileDescriptor& socket, std::span<sock_filter> program) {
    const sock_fprog filter{.len = static_cast<unsigned short>(program.size()), .filter = program.data()};
    if (::setsockopt(socket.get(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) < 0) {
        throw SystemError("filter what an ICMP socket receives", errno);
    }
}

/// A connected raw socket would otherwise collect the receiver's replies until its buffer is full.
void receive_nothing(const FileDescriptor& socket) {
    std::array program{sock_filter(BPF_STMT(BPF_RET | BPF_K, 0))};
    attach(socket, program);
}

/// Without the right to raw sockets. The kernel puts the socket's "port" into the identifier. It is bound once, to both
/// the identifier and the source.
FileDescriptor open_ping_socket(const SocketAddress& to, const TransportOptions& options) {
    const int protocol = to.family() == AF_INET6 ? static_cast<int>(IPPROTO_ICMPV6) : static_cast<int>(IPPROTO_ICMP);
    FileDescriptor socket(::socket(to.family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol));
    if (not socket.valid()) {
        throw SystemError("open a socket for ICMP", errno, kPingAdvice);
    }
    const SocketAddress source = source_address(options, to, to.port());
    if (::bind(socket.get(), source.data(), source.size()) < 0) {
        const int error = errno;
        throw SystemError("use the ICMP identifier " + std::to_string(to.port()) + " at " + source.host_to_string(),
                          error,
                          error == EADDRINUSE ? "another program of this host uses it: try again"
                                              : "see ip address for the addresses of this host");
    }
    return socket;
}

}  // namespace

FileDescriptor open_echo_sender(const SocketAddress& to, const TransportOptions& options) {
    try {
        FileDescriptor socket = open_flow_socket(Transport::icmp, to);
        receive_nothing(socket);
        bind_to_source(socket, options, to);
        return socket;
    } catch (const SystemError& error) {
        if (error.errno_value() != EPERM and error.errno_value() != EACCES) {
            throw;
        }
    }
    FileDescriptor socket = open_ping_socket(to, options);
    receive_nothing(socket);
    return socket;
}

// Every raw socket gets a copy of every ICMP message: the filter keeps flows from seeing, and paying for, each other's.
FileDescriptor open_echo_receiver(int family, std::uint16_t identifier) {
    const bool v6 = family == AF_INET6;
    FileDescriptor socket = open_flow_socket(Transport::icmp, SocketAddress::from_literal(v6 ? "::" : "0.0.0.0", 0));
    if (v6) {  // the filter sees ICMPv6 from its first byte
        std::array program{
            sock_filter(BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0)),
            sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kEchoRequest6, 0, 3)),
            sock_filter(BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 4)),
            sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, identifier, 0, 1)),
            sock_filter(BPF_STMT(BPF_RET | BPF_K, 0xffffffff)),
            sock_filter(BPF_STMT(BPF_RET | BPF_K, 0)),
        };
        attach(socket, program);
    } else {  // and ICMP behind the IP header
        std::array program{
            sock_filter(BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0)),
            sock_filter(BPF_STMT(BPF_LD | BPF_B | BPF_IND, 0)),
            sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kEchoRequest, 0, 3)),
            sock_filter(BPF_STMT(BPF_LD | BPF_H | BPF_IND, 4)),
            sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, identifier, 0, 1)),
            sock_filter(BPF_STMT(BPF_RET | BPF_K, 0xffffffff)),
            sock_filter(BPF_STMT(BPF_RET | BPF_K, 0)),
        };
        attach(socket, program);
    }
    return socket;
}

// Identifiers are nobody's to give away; ports of UDP are. A UDP socket that nobody sends to keeps the number taken.
HeldIdentifier hold_identifier(const SocketAddress& address) {
    HeldIdentifier held{.holder = open_socket(address, SOCK_DGRAM), .identifier = 0};
    bind_socket(held.holder, address, address);
    held.identifier = local_address_of(held.holder.get()).port();
    return held;
}

}  // namespace groma
