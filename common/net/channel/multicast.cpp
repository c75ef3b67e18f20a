#include "common/net/channel/multicast.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

constexpr int kIpv6MulticastAll = 29;  // <linux/in6.h>, which cannot stand beside <netinet/in.h>

int level_of(const SocketAddress& address) {
    return address.family() == AF_INET6 ? static_cast<int>(IPPROTO_IPV6) : static_cast<int>(IPPROTO_IP);
}

unsigned index_of_device(const std::string& name) {
    const unsigned index = ::if_nametoindex(name.c_str());
    if (index == 0) {
        throw SystemError("find the interface '" + plain_text(name, 40) + "'", errno, "see ip link");
    }
    return index;
}

/// Throws: SystemError when no interface of this host has the address.
unsigned index_of_address(const SocketAddress& address) {
    if (address.family() == AF_INET6) {
        const unsigned scope = reinterpret_cast<const sockaddr_in6*>(address.data())->sin6_scope_id;
        if (scope != 0) {
            return scope;
        }
    }
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0) {
        throw SystemError("list the interfaces of this host", errno);
    }
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(list, &::freeifaddrs);
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
        if (each->ifa_addr == nullptr or each->ifa_addr->sa_family != address.family()) {
            continue;
        }
        const socklen_t size = address.family() == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
        if (SocketAddress(each->ifa_addr, size).same_host(address)) {
            return ::if_nametoindex(each->ifa_name);
        }
    }
    throw SystemError("find the interface that has the address " + address.host_to_string(), EADDRNOTAVAIL,
                      "see ip address");
}

sockaddr_storage storage_of(const SocketAddress& address) {
    sockaddr_storage storage{};
    std::memcpy(&storage, address.data(), address.size());
    return storage;
}

void join_any_source(const FileDescriptor& socket, const SocketAddress& group, unsigned interface) {
    group_req request{};
    request.gr_interface = interface;
    request.gr_group = storage_of(group);
    if (::setsockopt(socket.get(), level_of(group), MCAST_JOIN_GROUP, &request, sizeof request) < 0) {
        throw SystemError("join the group " + group.host_to_string(), errno,
                          "sysctl net.ipv4.igmp_max_memberships bounds the groups of a host");
    }
}

void join_one_source(const FileDescriptor& socket, const SocketAddress& group, unsigned interface,
                     const SocketAddress& source) {
    group_source_req request{};
    request.gsr_interface = interface;
    request.gsr_group = storage_of(group);
    request.gsr_source = storage_of(source.with_port(0));
    if (::setsockopt(socket.get(), level_of(group), MCAST_JOIN_SOURCE_GROUP, &request, sizeof request) < 0) {
        throw SystemError("join the group " + group.host_to_string() + " for the source " + source.host_to_string(),
                          errno, "sysctl net.ipv4.igmp_max_memberships bounds the groups of a host");
    }
}

}  // namespace

SocketAddress group_of(const TransportOptions& options, std::uint16_t port) {
    const SocketAddress group = SocketAddress::from_literal(options.group, port);
    if (not group.is_multicast()) {
        throw UsageError("group: '" + plain_text(options.group, 60) +
                         "' is not a multicast address: give one from 224.0.0.0 to 239.255.255.255, or in ff00::/8");
    }
    return group;
}

SocketAddress address_towards(const SocketAddress& to) {
    const FileDescriptor socket = open_socket(to, SOCK_DGRAM);
    if (::connect(socket.get(), to.data(), to.size()) < 0) {
        throw SystemError("find the way to " + to.host_to_string(), errno, "check the routes: ip route get");
    }
    return local_address_of(socket.get()).with_port(0);
}

void prepare_group_sender(const FileDescriptor& socket, const TransportOptions& options, const SocketAddress& group) {
    const bool v6 = group.family() == AF_INET6;
    const int hops = static_cast<int>(options.ttl.value_or(1));
    set_option(socket, level_of(group), v6 ? IPV6_MULTICAST_HOPS : IP_MULTICAST_TTL, hops, "the TTL of multicast");
    if (options.device.empty() and options.source.empty()) {
        return;
    }
    const unsigned interface = options.device.empty() ? index_of_address(SocketAddress::from_literal(options.source, 0))
                                                      : index_of_device(options.device);
    if (v6) {
        set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(interface), "IPV6_MULTICAST_IF");
        return;
    }
    ip_mreqn request{};
    request.imr_ifindex = static_cast<int>(interface);
    if (::setsockopt(socket.get(), IPPROTO_IP, IP_MULTICAST_IF, &request, sizeof request) < 0) {
        throw SystemError("send to the group " + group.host_to_string() + " through an interface", errno);
    }
}

void join_group(const FileDescriptor& socket, const InboxSpec& spec) {
    const SocketAddress group = group_of(spec.options, spec.bind_to.port());
    if (group.family() != spec.bind_to.family() or group.family() != spec.expected_peer.family()) {
        throw UsageError("the group " + group.host_to_string() + " and the receiver " + spec.bind_to.host_to_string() +
                         " are of different families: give addresses of one kind");
    }
    const unsigned interface = index_of_address(spec.bind_to);
    set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");  // other receivers of this host may join as well
    bind_socket(socket, group, spec.expected_peer);
    if (group.family() == AF_INET6) {
        set_option(socket, IPPROTO_IPV6, kIpv6MulticastAll, 0, "IPV6_MULTICAST_ALL");
    } else {
        set_option(socket, IPPROTO_IP, IP_MULTICAST_ALL, 0, "IP_MULTICAST_ALL");
    }
    if (spec.options.source_specific.value_or(false)) {
        join_one_source(socket, group, interface, spec.expected_peer);
    } else {
        join_any_source(socket, group, interface);
    }
}

}  // namespace groma
