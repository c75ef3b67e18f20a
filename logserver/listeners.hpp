// The addresses that a log server listens on.
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
    std::optional<std::string> address;   ///< --listen; default: loopback, or every address with `open`
    bool open = false;                    ///< --open: other hosts may write logs here
    std::uint16_t port = kLogServerPort;  ///< 0: one port chosen by the kernel for all addresses
    bool udp = true;                      ///< false with --no-udp: TCP only
};

/// Throws: UsageError if other hosts could write here without --open.
[[nodiscard]] std::vector<SocketAddress> addresses_to_listen_on(const ListenOptions& options);

/// Opens non-blocking listening sockets. On a host without IPv6 (or IPv4), uses only the other.
/// Throws: SystemError.
[[nodiscard]] std::vector<FileDescriptor> open_listeners(const std::vector<SocketAddress>& addresses);

/// The address of a bound socket. Throws: SystemError.
[[nodiscard]] SocketAddress bound_address(const FileDescriptor& socket);

}  // namespace groma
