#include "common/net/socket/socket_address.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr HostKey kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0};
constexpr std::size_t kIpv4InKey = 12;

// sockaddr types are read and written as copies: looking at one through another's type is undefined.
template <typename Address, typename Storage>
Address as(const Storage& storage) noexcept {
    static_assert(sizeof(Address) <= sizeof(Storage));
    Address address{};
    std::memcpy(&address, &storage, sizeof address);
    return address;
}

template <typename Address>
SocketAddress made_of(const Address& address) noexcept {
    return {reinterpret_cast<const sockaddr*>(&address), sizeof address};
}

std::string_view without_brackets(std::string_view host) {
    if (host.size() >= 2 and host.front() == '[' and host.back() == ']') {
        return host.substr(1, host.size() - 2);
    }
    return host;
}

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

struct Lookup {
    int error = 0;
    AddressList list{nullptr, &::freeaddrinfo};
};

Lookup look_up(const std::string& host, int flags) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_DGRAM;  // one entry an address; the kind of socket does not matter here
    hints.ai_flags = flags;  // without AI_ADDRCONFIG, which hides literals and loopback on a host without routes
    addrinfo* found = nullptr;
    const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
    return {error, AddressList(found, &::freeaddrinfo)};
}

template <typename Storage>
HostKey key_of(sa_family_t family, const Storage& storage) noexcept {
    HostKey key{};
    if (family == AF_INET) {
        key = kMappedPrefix;
        const auto ipv4 = as<sockaddr_in>(storage);
        std::memcpy(&key[kIpv4InKey], &ipv4.sin_addr, sizeof ipv4.sin_addr);
    } else if (family == AF_INET6) {
        const auto ipv6 = as<sockaddr_in6>(storage);
        std::memcpy(key.data(), &ipv6.sin6_addr, key.size());
    }
    return key;
}

bool is_mapped(const HostKey& key) {
    return std::equal(key.begin(), key.begin() + kIpv4InKey, kMappedPrefix.begin());
}

}  // namespace

SocketAddress::SocketAddress(const sockaddr* address, socklen_t size) noexcept {
    const bool ipv4 = address->sa_family == AF_INET and size >= sizeof(sockaddr_in);
    const bool ipv6 = address->sa_family == AF_INET6 and size >= sizeof(sockaddr_in6);
    if (ipv4 or ipv6) {
        size_ = ipv4 ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        std::memcpy(&storage_, address, size_);
    }
}

SocketAddress SocketAddress::from_literal(std::string_view address, std::uint16_t port) {
    const std::optional<SocketAddress> parsed = parse_literal(address);
    if (not parsed) {
        throw UsageError("'" + plain_text(address, 100) +
                         "' is not an address (give one such as 10.0.0.1, fd99::2 or [fd99::2])");
    }
    return parsed->with_port(port);
}

std::optional<SocketAddress> SocketAddress::parse_literal(std::string_view address) {
    const std::string host(without_brackets(address));
    if (host.find('\0') != std::string::npos) {
        return std::nullopt;
    }
    sockaddr_in ipv4{};
    ipv4.sin_family = AF_INET;
    if (::inet_pton(AF_INET, host.c_str(), &ipv4.sin_addr) == 1) {
        return made_of(ipv4);
    }
    if (host.find(':') == std::string::npos) {  // getaddrinfo would take "1" for 0.0.0.1
        return std::nullopt;
    }
    const Lookup lookup = look_up(host, AI_NUMERICHOST);
    if (lookup.error != 0) {
        return std::nullopt;
    }
    return SocketAddress(lookup.list->ai_addr, lookup.list->ai_addrlen);
}

std::uint16_t SocketAddress::port() const {
    switch (family()) {
        case AF_INET:
            return ntohs(as<sockaddr_in>(storage_).sin_port);
        case AF_INET6:
            return ntohs(as<sockaddr_in6>(storage_).sin6_port);
        default:
            return 0;
    }
}

SocketAddress SocketAddress::with_port(std::uint16_t port) const {
    if (family() == AF_INET) {
        auto address = as<sockaddr_in>(storage_);
        address.sin_port = htons(port);
        return made_of(address);
    }
    if (family() == AF_INET6) {
        auto address = as<sockaddr_in6>(storage_);
        address.sin6_port = htons(port);
        return made_of(address);
    }
    return *this;
}

SocketAddress SocketAddress::with_flow_label(std::uint32_t label) const {
    if (family() != AF_INET6) {
        return *this;
    }
    auto address = as<sockaddr_in6>(storage_);
    address.sin6_flowinfo = htonl(label);
    return made_of(address);
}

bool SocketAddress::is_loopback() const {
    const HostKey key = host_key();
    constexpr HostKey kIpv6Loopback = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    return is_mapped(key) ? key[kIpv4InKey] == 127 : key == kIpv6Loopback;
}

bool SocketAddress::is_unspecified() const {
    const HostKey key = host_key();
    return valid() and (key == HostKey{} or key == kMappedPrefix);
}

bool SocketAddress::is_ipv4() const {
    return is_mapped(host_key());
}

bool SocketAddress::is_multicast() const {
    const HostKey key = host_key();
    return is_mapped(key) ? key[kIpv4InKey] >> 4U == 0xe : key[0] == 0xff;
}

HostKey SocketAddress::host_key() const noexcept {
    return key_of(storage_.sin6_family, storage_);
}

bool SocketAddress::same_host(const SocketAddress& other) const {
    return valid() and other.valid() and host_key() == other.host_key();
}

std::string SocketAddress::to_string() const {
    std::string text = host_to_string();
    if (family() == AF_INET6) {
        text.insert(text.begin(), '[');
        text += ']';
    }
    text += ':';
    text += std::to_string(port());
    return text;
}

std::string SocketAddress::host_to_string() const {
    std::array<char, NI_MAXHOST> text{};
    if (not valid() or ::getnameinfo(data(), size_, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0) {
        return "(no address)";
    }
    return text.data();
}

bool SocketAddress::operator==(const SocketAddress& other) const {
    if (family() != other.family() or port() != other.port() or host_key() != other.host_key()) {
        return false;
    }
    return family() != AF_INET6 or
           as<sockaddr_in6>(storage_).sin6_scope_id == as<sockaddr_in6>(other.storage_).sin6_scope_id;
}

HostKey host_key(const sockaddr_storage& address) noexcept {
    return key_of(address.ss_family, address);
}

SocketAddress resolve(std::string_view host, std::uint16_t port) {
    if (const std::optional<SocketAddress> literal = SocketAddress::parse_literal(host)) {
        return literal->with_port(port);
    }
    const std::string_view name = without_brackets(host);
    const bool has_zero = name.find('\0') != std::string_view::npos;
    const Lookup lookup = look_up(has_zero ? std::string() : std::string(name), 0);
    if (name.empty() or has_zero or lookup.error != 0) {
        const char* const reason = lookup.error != 0 ? ::gai_strerror(lookup.error) : "that is no name";
        throw RunError("cannot find the host " + plain_text(name, 255) + ": " + reason +
                       " (check the spelling and /etc/hosts, or give its address)");
    }
    return SocketAddress(lookup.list->ai_addr, lookup.list->ai_addrlen).with_port(port);
}

}  // namespace groma
