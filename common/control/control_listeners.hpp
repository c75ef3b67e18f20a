// The listening sockets of a daemon's control port, one for each address.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string_view>
#include <vector>

#include "common/net/socket/socket_address.hpp"

namespace groma {

inline constexpr std::string_view kAnotherReceiver = "is another groma-recv running? --port N takes another port";

struct ControlListeners {
    std::vector<boost::asio::ip::tcp::acceptor> acceptors;
    std::vector<SocketAddress> addresses;  ///< of the acceptors, with their actual port
};

/// Listens on every address with the port of the first; port 0: one that is free on all. Skips IPv6 addresses after the
/// first that this host does not have. Requires: at least one address. `advice`: what to do if another program has the
/// port. Throws: SystemError "cannot listen on ADDRESS".
[[nodiscard]] ControlListeners listen_all(boost::asio::io_context& io, const std::vector<SocketAddress>& addresses,
                                          std::string_view advice = kAnotherReceiver);

}  // namespace groma
