// What the kernel knows of how large packets of a path may be.
#pragma once

#include <cstddef>
#include <optional>

namespace groma {

struct PathMtu {
    std::size_t mtu = 0;      ///< bytes of an IP packet
    std::size_t payload = 0;  ///< that fit into one, behind the headers of IP and of UDP, UDP-Lite or ICMP
};

/// Of a connected datagram socket; `is_ipv4`: its packets are IPv4. Empty where the kernel does not know.
[[nodiscard]] std::optional<PathMtu> path_mtu(int socket, bool is_ipv4) noexcept;

}  // namespace groma
