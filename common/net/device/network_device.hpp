// The network device that an address belongs to: what may explain how packets travel through it.
#pragma once

#include <string>
#include <vector>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// Texts as the kernel has them; empty where it does not say.
struct NetworkDevice {
    std::string name;      ///< "eth0"; empty: no device has the address
    std::string driver;    ///< "virtio_net"
    std::string queueing;  ///< its queueing discipline: "fq_codel"
    std::string mtu;
    /// Features of its own that are on and change how packets are cut, put together or timed, as ethtool -k names them.
    std::vector<std::string> offloads;
};

/// Of the network namespace of the caller. Never fails: what cannot be found out is empty.
[[nodiscard]] NetworkDevice device_of(const SocketAddress& address);

/// This host's address on the way to `peer`, with port 0; not valid when there is no way.
[[nodiscard]] SocketAddress local_address_towards(const SocketAddress& peer);

}  // namespace groma
