// What channels and inboxes have in common: sockets opened, named and given large buffers.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// What to do about the error of a socket that is opened or bound; empty: nothing is known.
[[nodiscard]] std::string_view socket_advice(int errno_value) noexcept;

/// A non-blocking socket of this address's family; `type` is SOCK_DGRAM or SOCK_STREAM. Throws: SystemError, with
/// advice when the host lacks the family or has no descriptors left.
[[nodiscard]] FileDescriptor open_socket(const SocketAddress& address, int type);

/// Sets an option that is a number. Throws: SystemError "set OPTION_NAME on a socket".
void set_option(const FileDescriptor& socket, int level, int option, int value, std::string_view option_name);

/// Binds to `address`. On [::] an IPv6 socket hears IPv4 too if `peer` is an IPv4 host, and IPv6 alone otherwise.
/// Throws: SystemError "bind 10.0.0.1:8999", with advice.
void bind_socket(const FileDescriptor& socket, const SocketAddress& address, const SocketAddress& peer);

/// Asks for so many bytes of buffer and is content with what it gets, which is read with buffer_size(). `direction` is
/// SO_SNDBUF or SO_RCVBUF; beyond net.core.[rw]mem_max it takes CAP_NET_ADMIN.
void ask_for_buffer(const FileDescriptor& socket, int direction, int bytes) noexcept;

/// As the kernel counts: about twice of what packets can fill.
[[nodiscard]] std::uint64_t buffer_size(int socket, int direction) noexcept;

/// Not valid when the socket has none (not bound, not connected any more).
[[nodiscard]] SocketAddress local_address_of(int socket) noexcept;
[[nodiscard]] SocketAddress remote_address_of(int socket) noexcept;

/// For the kernel to read.
[[nodiscard]] inline iovec as_iovec(std::span<const std::byte> bytes) noexcept {
    return {.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};
}

}  // namespace groma
