#include "mpi/roles/rank_identity.hpp"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <climits>
#include <memory>
#include <span>

#include "common/json/json_record.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/checked.hpp"
#include "common/os/host.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostAddresses = 1000;
constexpr UpTo kIdentityText{255};

/// The identity of the network namespace.
std::string network_name() {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlink("/proc/self/ns/net", target.data(), target.size() - 1);
    return boot_id() + ' ' + std::string(target.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
}

/// The prefix length of a netmask.
unsigned prefix_of(const sockaddr* mask, int family) {
    std::span<const unsigned char> bytes;
    if (family == AF_INET) {
        const auto& address = reinterpret_cast<const sockaddr_in*>(mask)->sin_addr;
        bytes = {reinterpret_cast<const unsigned char*>(&address), sizeof address};
    } else {
        const auto& address = reinterpret_cast<const sockaddr_in6*>(mask)->sin6_addr;
        bytes = {reinterpret_cast<const unsigned char*>(&address), sizeof address};
    }
    unsigned bits = 0;
    for (const unsigned char byte : bytes) {
        bits += static_cast<unsigned>(std::popcount(byte));
    }
    return bits;
}

/// Link-local addresses are useless to other hosts.
bool link_local(const sockaddr* address) {
    return address->sa_family == AF_INET6 and
           IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

std::vector<HostAddress> own_addresses() {
    ifaddrs* first = nullptr;
    checked("list this host's addresses", ::getifaddrs(&first));
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> list(first, &::freeifaddrs);
    std::vector<HostAddress> addresses;
    for (const ifaddrs* one = first; one != nullptr and addresses.size() < kMostAddresses; one = one->ifa_next) {
        const int family = one->ifa_addr == nullptr ? AF_UNSPEC : one->ifa_addr->sa_family;
        if ((family != AF_INET and family != AF_INET6) or one->ifa_netmask == nullptr or link_local(one->ifa_addr)) {
            continue;
        }
        const socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        addresses.push_back({SocketAddress(one->ifa_addr, size).host_to_string(), prefix_of(one->ifa_netmask, family)});
    }
    return addresses;
}

}  // namespace

RankIdentity own_identity(const std::string& processor) {
    return {processor.empty() ? host_name() : processor, boot_id(), network_name(), own_addresses()};
}

template <typename Fields>
void describe(Fields& fields, As<Fields, HostAddress>& address) {
    fields("address", address.address, kIdentityText);
    fields("prefix", address.prefix);
    fields.when_read("address", [&] { static_cast<void>(SocketAddress::from_literal(address.address, 0)); });
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RankIdentity>& identity) {
    fields("host", identity.host, kIdentityText);
    fields("boot_id", identity.boot_id, kIdentityText);
    fields("network", identity.network, UpTo{2 * kIdentityText.bytes});
    fields.rows("addresses", identity.addresses, Most{kMostAddresses});
}

template void describe(JsonWriter&, const RankIdentity&);
template void describe(JsonReader&, RankIdentity&);

}  // namespace groma
