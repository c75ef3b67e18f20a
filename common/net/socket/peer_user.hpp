// Who is at the other end of a connection within this host.
#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <optional>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// The user who made the socket at the other end of a connection, by the kernel (sock_diag(7), inet_diag). `local` and
/// `peer` as this end sees them; `protocol`: TCP, or UDP, where that socket must be connected to `local`. Returns:
/// nothing if that socket is not on this host, is not connected any more, or belongs to no process: the kernel gives
/// such sockets to root.
[[nodiscard]] std::optional<uid_t> user_at_other_end(const SocketAddress& local, const SocketAddress& peer,
                                                     int protocol = IPPROTO_TCP);

}  // namespace groma
