// Which addresses a log server listens on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

inline constexpr std::uint16_t kLogServerPort = 9001;

struct ListenOptions {
    std::optional<std::string> address;   ///< --listen; without it, loopback, or every address with `open`
    bool open = false;                    ///< --open: other hosts may write logs here
    std::uint16_t port = kLogServerPort;  ///< 0: the kernel chooses one, the same for all addresses
    bool udp = true;                      ///< --no-udp: shippers come over TCP only
};

/// Throws: UsageError when other hosts could write here without --open.
[[nodiscard]] std::vector<SocketAddress> addresses_to_listen_on(const ListenOptions& options);

/// Non-blocking listening sockets on them. A host without IPv6 (or IPv4) is served on what it has.
/// Throws: SystemError.
[[nodiscard]] std::vector<FileDescriptor> open_listeners(const std::vector<SocketAddress>& addresses);

/// Where a socket is bound. Throws: SystemError.
[[nodiscard]] SocketAddress bound_address(const FileDescriptor& socket);

}  // namespace groma
