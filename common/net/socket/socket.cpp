#include "common/net/socket/socket.hpp"

#include <netinet/in.h>

#include <cerrno>
#include <string>

#include "common/base/errors.hpp"

namespace groma {

namespace {

using NameOf = int(int, sockaddr*, socklen_t*);

SocketAddress address_from(int socket, NameOf* name_of) noexcept {
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    auto* const address = reinterpret_cast<sockaddr*>(&storage);
    return name_of(socket, address, &size) == 0 ? SocketAddress(address, size) : SocketAddress();
}

}  // namespace

std::string_view socket_advice(int errno_value) noexcept {
    switch (errno_value) {
        case EAFNOSUPPORT:
            return "this host has no such addresses, perhaps IPv6 is off: use the other kind";
        case EMFILE:
            return "raise the limit of open files: ulimit -n";
        case EADDRINUSE:
            return "another program has this port: choose another";
        case EADDRNOTAVAIL:
            return "no interface of this host has this address: see ip address";
        case EACCES:
            return "ports below 1024 take root or CAP_NET_BIND_SERVICE: choose one above 1023";
        default:
            return {};
    }
}

FileDescriptor open_socket(const SocketAddress& address, int type) {
    FileDescriptor socket(::socket(address.family(), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (not socket.valid()) {
        const int error = errno;  // before the address is put into words, which may change it
        throw SystemError("open a socket for " + address.to_string(), error, socket_advice(error));
    }
    return socket;
}

void set_option(const FileDescriptor& socket, int level, int option, int value, std::string_view option_name) {
    if (::setsockopt(socket.get(), level, option, &value, sizeof value) < 0) {
        const int error = errno;
        throw SystemError("set " + std::string(option_name) + " on a socket", error);
    }
}

void bind_socket(const FileDescriptor& socket, const SocketAddress& address, const SocketAddress& peer) {
    int type = 0;
    socklen_t size = sizeof type;
    ::getsockopt(socket.get(), SOL_SOCKET, SO_TYPE, &type, &size);
    if (address.family() == AF_INET6 and type != SOCK_RAW) {  // a raw socket hears its own family only
        const bool ipv4_too = address.is_ipv4() or (address.is_unspecified() and peer.is_ipv4());
        set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, ipv4_too ? 0 : 1, "IPV6_V6ONLY");
    }
    if (::bind(socket.get(), address.data(), address.size()) < 0) {
        const int error = errno;
        throw SystemError("bind " + address.to_string(), error, socket_advice(error));
    }
}

void ask_for_buffer(const FileDescriptor& socket, int direction, int bytes) noexcept {
    const int beyond_the_limit = direction == SO_SNDBUF ? SO_SNDBUFFORCE : SO_RCVBUFFORCE;
    if (::setsockopt(socket.get(), SOL_SOCKET, beyond_the_limit, &bytes, sizeof bytes) < 0) {
        ::setsockopt(socket.get(), SOL_SOCKET, direction, &bytes, sizeof bytes);
    }
}

std::uint64_t buffer_size(int socket, int direction) noexcept {
    int bytes = 0;
    socklen_t size = sizeof bytes;
    ::getsockopt(socket, SOL_SOCKET, direction, &bytes, &size);
    return static_cast<std::uint64_t>(bytes);
}

SocketAddress local_address_of(int socket) noexcept {
    return address_from(socket, &::getsockname);
}

SocketAddress remote_address_of(int socket) noexcept {
    return address_from(socket, &::getpeername);
}

}  // namespace groma
