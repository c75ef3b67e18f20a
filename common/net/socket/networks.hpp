// Sets of addresses, as networks in CIDR notation (RFC 4632, RFC 4291 2.3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// "10.0.0.0/8", or an address by itself.
struct Network {
    HostKey base{};
    unsigned bits = 0;   ///< of the base that count; IPv4 in its IPv6-mapped form
    std::string text{};  ///< as it is written

    /// A network that is not of multicast groups alone has none of them, and one of IPv6 none of IPv4: who means those
    /// names them.
    [[nodiscard]] bool contains(const SocketAddress& address) const noexcept;
    bool operator==(const Network&) const = default;
};

struct Networks {
    std::vector<Network> all{};

    [[nodiscard]] bool contain(const SocketAddress& address) const noexcept;
    bool operator==(const Networks&) const = default;
};

/// Networks with `between` between them: "10.0.0.0/8,fd00::/8". Throws: UsageError.
[[nodiscard]] Networks parse_networks(std::string_view text, char between = ',');
[[nodiscard]] std::string to_string(const Networks& networks, char between = ',');

}  // namespace groma
