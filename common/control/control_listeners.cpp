#include "common/control/control_listeners.hpp"

#include <sys/socket.h>

#include <boost/asio/ip/v6_only.hpp>

#include <cerrno>
#include <string>

#include "common/base/errors.hpp"
#include "common/control/endpoint.hpp"
#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

using boost::asio::ip::tcp;

constexpr int kAttempts = 16;

tcp::acceptor listen_on(boost::asio::io_context& io, const SocketAddress& address, std::string_view advice) {
    const tcp::endpoint endpoint = to_endpoint(address);
    try {
        tcp::acceptor acceptor(io);
        acceptor.open(endpoint.protocol());
        acceptor.set_option(tcp::acceptor::reuse_address(true));
        if (address.family() == AF_INET6) {
            acceptor.set_option(boost::asio::ip::v6_only(true));
        }
        acceptor.bind(endpoint);
        acceptor.listen();
        return acceptor;
    } catch (const boost::system::system_error& error) {
        const int number = error.code().value();
        throw SystemError("listen on " + address.to_string(), number,
                          number == EADDRINUSE ? advice : socket_advice(number));
    }
}

bool host_lacks(const SocketAddress& address, const SystemError& error) {
    return address.family() == AF_INET6 and
           (error.errno_value() == EADDRNOTAVAIL or error.errno_value() == EAFNOSUPPORT);
}

ControlListeners listen_once(boost::asio::io_context& io, const std::vector<SocketAddress>& addresses,
                             std::string_view advice) {
    ControlListeners listeners;
    for (const SocketAddress& address : addresses) {
        const bool first = listeners.acceptors.empty();
        const SocketAddress wanted = first ? address : address.with_port(listeners.addresses.front().port());
        try {
            listeners.acceptors.push_back(listen_on(io, wanted, advice));
            listeners.addresses.push_back(to_address(listeners.acceptors.back().local_endpoint()));
        } catch (const SystemError& error) {
            if (first or not host_lacks(address, error)) {
                throw;
            }
        }
    }
    return listeners;
}

}  // namespace

ControlListeners listen_all(boost::asio::io_context& io, const std::vector<SocketAddress>& addresses,
                            std::string_view advice) {
    check(not addresses.empty(), "a daemon listens somewhere");
    for (int attempt = 1;; ++attempt) {
        try {
            return listen_once(io, addresses, advice);
        } catch (const SystemError& error) {
            // The port that the kernel chose for the first address may be in use on the second.
            const bool again = addresses.front().port() == 0 and error.errno_value() == EADDRINUSE;
            if (not again or attempt == kAttempts) {
                throw;
            }
        }
    }
}

}  // namespace groma
