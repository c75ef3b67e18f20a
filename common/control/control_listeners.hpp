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
    std::vector<SocketAddress> addresses;  ///< of the acceptors, with the port that they really have
};

/// Listens on every address, all on the first one's port; with port 0 on one that the kernel finds free for all. IPv6
/// addresses behind the first that this host does not have are left out. Requires: at least one address.
/// `advice`: what to do when another program has the port. Throws: SystemError "cannot listen on ADDRESS".
[[nodiscard]] ControlListeners listen_all(boost::asio::io_context& io, const std::vector<SocketAddress>& addresses,
                                          std::string_view advice = kAnotherReceiver);

}  // namespace groma
