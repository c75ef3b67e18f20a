// Addresses of IPv4 and IPv6 sockets as values, and the only place where names are resolved.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace groma {

class SocketAddress {
public:
    SocketAddress() = default;  ///< of no family; valid() is false
    SocketAddress(const sockaddr* address, socklen_t size);

    /// A literal, with or without brackets. Throws: UsageError.
    [[nodiscard]] static SocketAddress from_literal(std::string_view address, std::uint16_t port);

    [[nodiscard]] bool valid() const { return size_ > 0; }
    [[nodiscard]] const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&storage_); }
    [[nodiscard]] socklen_t size() const { return size_; }
    [[nodiscard]] int family() const { return storage_.ss_family; }
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] SocketAddress with_port(std::uint16_t port) const;
    [[nodiscard]] bool is_loopback() const;
    /// Same family and host part; the port and an IPv4-mapped form do not matter.
    [[nodiscard]] bool same_host(const SocketAddress& other) const;
    /// "10.0.0.1:8999", "[fd99::2]:8999".
    [[nodiscard]] std::string to_string() const;
    /// Without the port and brackets.
    [[nodiscard]] std::string host_to_string() const;

    bool operator==(const SocketAddress& other) const;

private:
    sockaddr_storage storage_{};
    socklen_t size_ = 0;
};

/// First address of a name or literal. Throws: RunError "cannot find the host NAME: ... (advice)".
[[nodiscard]] SocketAddress resolve(std::string_view host, std::uint16_t port);

}  // namespace groma
