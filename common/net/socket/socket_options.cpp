#include "common/net/socket/socket_options.hpp"

#include <linux/in6.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

#include "common/base/errors.hpp"
#include "common/net/socket/port_search.hpp"
#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

constexpr int kSolDccp = 269;
constexpr int kDccpService = 2;
constexpr int kDccpCcid = 13;
constexpr int kSolUdpLite = 136;
constexpr int kUdpLiteSendCoverage = 10;
constexpr std::uint8_t kFlowLabelFlagCreate = 1;
constexpr std::uint8_t kFlowLabelShareAny = 255;

/// Sets options one by one and keeps what the kernel would not do.
class Setter {
public:
    Setter(const FileDescriptor& socket, const SocketUse& use) : socket_(socket), use_(use) {}

    /// What is set must be so.
    void require(int level, int option, const void* value, std::size_t size, const std::string& what,
                 std::string_view advice) {
        if (::setsockopt(socket_.get(), level, option, value, static_cast<socklen_t>(size)) < 0) {
            const int error = errno;
            throw SystemError("set " + what, error, std::string(advice));
        }
    }
    void require(int level, int option, int value, const std::string& what, std::string_view advice) {
        require(level, option, &value, sizeof value, what, advice);
    }

    /// What cannot be set is warned of.
    void ask(int level, int option, int value, const std::string& what) {
        if (::setsockopt(socket_.get(), level, option, &value, sizeof value) < 0) {
            const int error = errno;
            warnings_.push_back("the kernel refused " + what + ": " + std::generic_category().message(error));
        }
    }

    /// The option of IPv4 or of IPv6.
    void ask_ip(int option_v4, int option_v6, int value, const std::string& what) {
        const bool v6 = use_.family == AF_INET6;
        ask(v6 ? static_cast<int>(IPPROTO_IPV6) : static_cast<int>(IPPROTO_IP), v6 ? option_v6 : option_v4, value,
            what);
    }

    void buffer(int direction, Bytes asked, const std::string& name) {
        ask_for_buffer(socket_, direction, static_cast<int>(asked.count));
        // The kernel doubles what it is asked for, to account for its own bookkeeping (socket(7)).
        const std::uint64_t got = buffer_size(socket_.get(), direction) / 2;
        if (got < asked.count) {
            warnings_.push_back(name + " of " + std::to_string(asked.count) + " bytes was clipped to " +
                                std::to_string(got) + " (net.core." + (direction == SO_SNDBUF ? "w" : "r") +
                                "mem_max, or CAP_NET_ADMIN)");
        }
    }

    void warning(std::string sentence) { warnings_.push_back(std::move(sentence)); }
    [[nodiscard]] bool v6() const { return use_.family == AF_INET6; }
    [[nodiscard]] const SocketUse& use() const { return use_; }
    [[nodiscard]] std::vector<std::string> take_warnings() { return std::move(warnings_); }

private:
    const FileDescriptor& socket_;
    SocketUse use_;
    std::vector<std::string> warnings_;
};

void set_ip_header(Setter& set, const TransportOptions& options) {
    if (options.ttl) {
        set.ask_ip(IP_TTL, IPV6_UNICAST_HOPS, static_cast<int>(*options.ttl), "TTL " + std::to_string(*options.ttl));
    }
    if (options.ds_byte) {
        set.ask_ip(IP_TOS, IPV6_TCLASS, static_cast<int>(*options.ds_byte),
                   "DS byte " + std::to_string(*options.ds_byte));
    }
    if (options.dont_fragment) {
        const bool on = *options.dont_fragment;
        set.ask_ip(IP_MTU_DISCOVER, IPV6_MTU_DISCOVER, on ? IP_PMTUDISC_DO : IP_PMTUDISC_DONT,
                   std::string("dont_fragment ") + (on ? "on" : "off"));
        if (set.v6()) {
            set.ask(IPPROTO_IPV6, IPV6_DONTFRAG, on ? 1 : 0, "dont_fragment");
        }
    }
    if (options.flow_label and not set.v6()) {
        set.warning("the flow label is of IPv6 only: there is none in these packets");
    }
}

void set_tcp(Setter& set, const TransportOptions& options) {
    if (options.nagle) {
        set.ask(IPPROTO_TCP, TCP_NODELAY, *options.nagle ? 0 : 1, "nagle");
    }
    if (not options.congestion.empty()) {
        set.require(IPPROTO_TCP, TCP_CONGESTION, options.congestion.data(), options.congestion.size(),
                    "congestion control '" + options.congestion + "'",
                    "see sysctl net.ipv4.tcp_available_congestion_control; modprobe tcp_NAME adds one");
    }
    if (options.mss) {
        set.ask(IPPROTO_TCP, TCP_MAXSEG, static_cast<int>(*options.mss), "mss " + std::to_string(*options.mss));
    }
}

void set_dccp(Setter& set, const TransportOptions& options) {
    if (options.service) {
        const std::uint32_t service = htonl(*options.service);
        set.require(kSolDccp, kDccpService, &service, sizeof service, "the DCCP service code", {});
    }
    if (options.ccid) {
        const auto ccid = static_cast<std::uint8_t>(*options.ccid);
        set.require(kSolDccp, kDccpCcid, &ccid, sizeof ccid, "DCCP congestion control " + std::to_string(ccid),
                    "this kernel does not have it: use the other, 2 or 3");
    }
}

void set_sending(Setter& set, const TransportOptions& options) {
    set_ip_header(set, options);
    if (options.priority) {
        set.ask(SOL_SOCKET, SO_PRIORITY, static_cast<int>(*options.priority),
                "priority " + std::to_string(*options.priority) + " (above 6 takes CAP_NET_ADMIN)");
    }
    if (not options.device.empty()) {
        set.require(SOL_SOCKET, SO_BINDTODEVICE, options.device.data(), options.device.size(),
                    "interface '" + options.device + "'", "see ip link for the names of interfaces");
    }
    if (options.send_buffer) {
        set.buffer(SO_SNDBUF, *options.send_buffer, "send_buffer");
    }
    if (options.coverage and set.use().transport == Transport::udplite) {
        set.ask(kSolUdpLite, kUdpLiteSendCoverage, static_cast<int>(*options.coverage), "coverage");
    }
}

}  // namespace

std::vector<std::string> apply_options(const FileDescriptor& socket, const SocketUse& use,
                                       const TransportOptions& options) {
    Setter set(socket, use);
    if (use.side == SocketSide::sending) {
        set_sending(set, options);
    } else if (options.receive_buffer) {
        set.buffer(SO_RCVBUF, *options.receive_buffer, "receive_buffer");
    }
    if (traits(use.transport).stream) {
        set_tcp(set, options);
    } else if (use.transport == Transport::dccp) {
        set_dccp(set, options);
    }
    return set.take_warnings();
}

SocketAddress labelled(const FileDescriptor& socket, const SocketAddress& to, const TransportOptions& options) {
    if (not options.flow_label or to.family() != AF_INET6) {
        return to;
    }
    Setter set(socket, {Transport::udp, AF_INET6, SocketSide::sending});
    const std::string what = "flow label " + std::to_string(*options.flow_label);
    if (*options.flow_label == 0) {  // is none; the kernel would choose one
        set.require(IPPROTO_IPV6, IPV6_AUTOFLOWLABEL, 0, what, "do without");
        return to;
    }
    sockaddr_in6 destination{};
    std::memcpy(&destination, to.data(), sizeof destination);
    in6_flowlabel_req lease{};
    std::memcpy(&lease.flr_dst, &destination.sin6_addr, sizeof lease.flr_dst);
    lease.flr_label = htonl(*options.flow_label);
    lease.flr_action = IPV6_FL_A_GET;
    lease.flr_share = kFlowLabelShareAny;
    lease.flr_flags = kFlowLabelFlagCreate;
    set.require(IPPROTO_IPV6, IPV6_FLOWLABEL_MGR, &lease, sizeof lease, what,
                "another program of this host holds it, or the transport has none: choose another, or do without");
    set.require(IPPROTO_IPV6, IPV6_FLOWINFO_SEND, 1, what, "do without");
    return to.with_flow_label(*options.flow_label);
}

SocketAddress source_address(const TransportOptions& options, const SocketAddress& to, std::uint16_t port) {
    const std::string any = to.family() == AF_INET6 ? "::" : "0.0.0.0";
    const SocketAddress source = SocketAddress::from_literal(options.source.empty() ? any : options.source, port);
    if (source.family() != to.family()) {
        throw UsageError("the source " + options.source + " and the receiver " + to.host_to_string() +
                         " are of different families: give addresses of one kind");
    }
    return source;
}

void bind_to_source(const FileDescriptor& socket, const TransportOptions& options, const SocketAddress& to) {
    if (not options.source.empty() or options.source_port or options.source_ports) {
        bind_in_range(socket, source_address(options, to, static_cast<std::uint16_t>(options.source_port.value_or(0))),
                      to, options.source_ports);
    }
}

}  // namespace groma
