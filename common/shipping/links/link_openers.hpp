// Opens connections to log servers over each transport.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/access/access_key.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/shipping/links/shipping_link.hpp"

namespace groma {

/// `peer` is used in messages: "log server 10.0.0.3:9001 (tcp)". With `key`: under TLS.
[[nodiscard]] LinkOpener tcp_link(const SocketAddress& server, const std::string& peer,
                                  const std::optional<OfferedKey>& key, const ShippingTimes& times);

/// `key`: that is proved to the server. `bytes_per_second`: limit of this host's traffic, all overhead included; empty:
/// as much as the path carries.
[[nodiscard]] LinkOpener udp_link(const SocketAddress& server, const std::string& peer,
                                  const std::optional<OfferedKey>& key, std::optional<std::uint64_t> bytes_per_second,
                                  const ShippingTimes& times);

}  // namespace groma
