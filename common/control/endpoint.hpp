// Converts between Asio's endpoints and SocketAddress.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// Requires: a valid address.
[[nodiscard]] boost::asio::ip::tcp::endpoint to_endpoint(const SocketAddress& address);
[[nodiscard]] SocketAddress to_address(const boost::asio::ip::tcp::endpoint& endpoint);

}  // namespace groma
