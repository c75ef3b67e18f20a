// Makes connections to log servers over the transports there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/net/socket_address.hpp"
#include "common/shipping/shipping_link.hpp"

namespace groma {

/// `peer` stands in messages: "log server 10.0.0.3:9001 (tcp)". An attempt takes 5 s at most.
[[nodiscard]] LinkOpener tcp_link(const SocketAddress& server, const std::string& peer);

/// `bytes_per_second`: no more than that leaves this host, everything counted; nothing: as much as the path carries.
[[nodiscard]] LinkOpener udp_link(const SocketAddress& server, const std::string& peer,
                                  std::optional<std::uint64_t> bytes_per_second);

}  // namespace groma
