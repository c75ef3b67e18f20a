// Addresses of IPv4 and IPv6 sockets as values, and the only place where names are resolved.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace groma {

/// The host part of an address in 16 bytes, IPv4 in its IPv6-mapped form (RFC 4291, 2.5.5.2): equal for the same host
/// however its address is written. Scopes do not take part.
using HostKey = std::array<std::uint8_t, 16>;

class SocketAddress {
public:
    SocketAddress() = default;  ///< of no family; valid() is false
    /// As the kernel gives it. An address of a family other than IPv4 and IPv6, or too short for it, is not valid.
    SocketAddress(const sockaddr* address, socklen_t size) noexcept;

    /// A literal, with or without brackets, IPv6 with or without a scope ("fe80::1%eth0"). Throws: UsageError.
    [[nodiscard]] static SocketAddress from_literal(std::string_view address, std::uint16_t port);
    /// The same; nothing when it is none. Asks nobody.
    [[nodiscard]] static std::optional<SocketAddress> parse_literal(std::string_view address);

    [[nodiscard]] bool valid() const { return size_ > 0; }
    [[nodiscard]] const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&storage_); }
    [[nodiscard]] socklen_t size() const { return size_; }
    [[nodiscard]] int family() const { return storage_.sin6_family; }
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] SocketAddress with_port(std::uint16_t port) const;
    /// With this flow label (RFC 6437), which connect() gives to the packets; IPv4 has none and stays as it is.
    [[nodiscard]] SocketAddress with_flow_label(std::uint32_t label) const;
    [[nodiscard]] bool is_loopback() const;
    [[nodiscard]] bool is_unspecified() const;  ///< 0.0.0.0 or [::], "all addresses of this host"
    [[nodiscard]] bool is_ipv4() const;         ///< also as an IPv4-mapped IPv6 address
    [[nodiscard]] bool is_multicast() const;    ///< in 224.0.0.0/4, also mapped, or ff00::/8
    [[nodiscard]] HostKey host_key() const noexcept;
    /// Same host part; the port, the scope and whether IPv4 comes in its IPv6-mapped form do not matter.
    [[nodiscard]] bool same_host(const SocketAddress& other) const;
    /// "10.0.0.1:8999", "[fd99::2]:8999".
    [[nodiscard]] std::string to_string() const;
    /// Without the port and brackets.
    [[nodiscard]] std::string host_to_string() const;

    bool operator==(const SocketAddress& other) const;

private:
    sockaddr_in6 storage_{};  ///< has room for IPv4 too; there may be a hundred thousand addresses
    socklen_t size_ = 0;
};

/// The host key of an address as the kernel gives it, for the packet path; all zeros if it is neither IPv4 nor IPv6.
[[nodiscard]] HostKey host_key(const sockaddr_storage& address) noexcept;

/// First address of a name or literal, brackets or none. May ask a name server, and so wait. Throws: RunError "cannot
/// find the host NAME: ... (advice)".
[[nodiscard]] SocketAddress resolve(std::string_view host, std::uint16_t port);

}  // namespace groma
