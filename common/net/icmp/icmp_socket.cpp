#include "common/net/icmp/icmp_socket.hpp"

#include <linux/filter.h>
#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>

#include <array>
#include <cerrno>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"
#include "common/os/checked.hpp"
#include "common/wire/icmp_packet.hpp"

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

struct Wanted {
    bool behind_ip = false;  ///< the IP header comes first
    std::uint8_t type = 0;
    std::uint16_t identifier = 0;
    std::uint16_t sequence_bits = 0;  ///< that are all set
};

/// X is where ICMP begins: behind the IP header of a raw IPv4 socket, at the first byte of all others.
void attach_echo_filter(const FileDescriptor& socket, const Wanted& wanted) {
    constexpr std::uint32_t kIdentifierAt = 4;
    constexpr std::uint32_t kSequenceAt = 6;
    const sock_filter begin = wanted.behind_ip ? sock_filter(BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0))
                                               : sock_filter(BPF_STMT(BPF_LDX | BPF_IMM, 0));
    std::array program{
        begin,
        sock_filter(BPF_STMT(BPF_LD | BPF_B | BPF_IND, 0)),
        sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, wanted.type, 0, 6)),
        sock_filter(BPF_STMT(BPF_LD | BPF_H | BPF_IND, kIdentifierAt)),
        sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, wanted.identifier, 0, 4)),
        sock_filter(BPF_STMT(BPF_LD | BPF_H | BPF_IND, kSequenceAt)),
        sock_filter(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, wanted.sequence_bits)),
        sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, wanted.sequence_bits, 0, 1)),
        sock_filter(BPF_STMT(BPF_RET | BPF_K, 0xffffffff)),
        sock_filter(BPF_STMT(BPF_RET | BPF_K, 0)),
    };
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

EchoSocket echo_socket_kind(const FileDescriptor& socket) {
    int type = 0;
    socklen_t size = sizeof type;
    checked("ask for the type of a socket", ::getsockopt(socket.get(), SOL_SOCKET, SO_TYPE, &type, &size));
    return type == SOCK_RAW ? EchoSocket::raw : EchoSocket::ping;
}

void receive_meter_replies(const FileDescriptor& socket, const EchoFilter& filter) {
    const std::uint8_t type = filter.v6 ? kEchoReply6 : kEchoReply;
    // The kernel puts a ping socket's own number into the identifier, and gives it the replies to that alone.
    attach_echo_filter(socket, {.behind_ip = filter.kind == EchoSocket::raw and not filter.v6,
                                .type = type,
                                .identifier = filter.identifier,
                                .sequence_bits = kMeterReply});
}

// Every raw socket gets a copy of every ICMP message: the filter keeps flows from seeing, and paying for, each other's.
FileDescriptor open_echo_receiver(int family, std::uint16_t identifier) {
    const bool v6 = family == AF_INET6;
    FileDescriptor socket = open_flow_socket(Transport::icmp, SocketAddress::from_literal(v6 ? "::" : "0.0.0.0", 0));
    attach_echo_filter(
        socket,
        {.behind_ip = not v6, .type = v6 ? kEchoRequest6 : kEchoRequest, .identifier = identifier, .sequence_bits = 0});
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
