#include "logserver/listeners.hpp"

#include <netinet/in.h>

#include <cerrno>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr int kBacklog = 4096;
// Both address families use the same kernel-chosen port; if it is taken in the second, try another.
constexpr int kPortAttempts = 20;

void set_option(int fd, int level, int option, const std::string& attempt) {
    const int on = 1;
    checked(attempt, ::setsockopt(fd, level, option, &on, sizeof on));
}

FileDescriptor listen_on(const SocketAddress& address) {
    const std::string attempt = "listen on " + address.to_string();
    FileDescriptor socket(checked(attempt, ::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)));
    set_option(socket.get(), SOL_SOCKET, SO_REUSEADDR, attempt);
    if (address.family() == AF_INET6) {
        set_option(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, attempt);
    }
    if (::bind(socket.get(), address.data(), address.size()) < 0) {
        const int error = errno;
        throw SystemError(attempt, error,
                          error == EADDRINUSE ? "is a groma-log running already? see --port" : socket_advice(error));
    }
    checked(attempt, ::listen(socket.get(), kBacklog));
    return socket;
}

bool family_is_missing(int errno_value) {
    return errno_value == EADDRNOTAVAIL or errno_value == EAFNOSUPPORT;
}

std::vector<FileDescriptor> try_listeners(const std::vector<SocketAddress>& addresses) {
    std::vector<FileDescriptor> sockets;
    std::uint16_t port = addresses.front().port();
    std::exception_ptr missing;
    for (const SocketAddress& address : addresses) {
        try {
            sockets.push_back(listen_on(address.with_port(port)));
            port = bound_address(sockets.back()).port();
        } catch (const SystemError& error) {
            if (addresses.size() == 1 or not family_is_missing(error.errno_value())) {
                throw;
            }
            missing = std::current_exception();
        }
    }
    if (sockets.empty()) {
        std::rethrow_exception(missing);
    }
    return sockets;
}

}  // namespace

SocketAddress bound_address(const FileDescriptor& socket) {
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    checked("ask for the address of a socket",
            ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&storage), &size));
    return {reinterpret_cast<const sockaddr*>(&storage), size};
}

std::vector<SocketAddress> addresses_to_listen_on(const ListenOptions& options) {
    return options.address
               ? std::vector{address_to_listen_on(*options.address, options.reach, options.port, kLogServerCould)}
               : usual_addresses(options.reach, options.port);
}

std::vector<FileDescriptor> open_listeners(const std::vector<SocketAddress>& addresses) {
    const bool any_port = addresses.front().port() == 0;
    for (int attempt = 1;; ++attempt) {
        try {
            return try_listeners(addresses);
        } catch (const SystemError& error) {
            if (not any_port or error.errno_value() != EADDRINUSE or attempt == kPortAttempts) {
                throw;
            }
        }
    }
}

}  // namespace groma
