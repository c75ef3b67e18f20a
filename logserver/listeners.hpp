// The addresses that a log server listens on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/control/reach.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

inline constexpr std::uint16_t kLogServerPort = 9001;
inline constexpr std::string_view kLogServerCould = "write logs to this disk";

struct ListenOptions {
    std::optional<std::string> address;  ///< --listen; default: loopback, or every address if other hosts are let in
    Reach reach{};
    std::uint16_t port = kLogServerPort;  ///< 0: one port chosen by the kernel for all addresses
    bool udp = true;                      ///< false with --no-udp: TCP only
};

/// Throws: UsageError if other hosts could write here and are not to.
[[nodiscard]] std::vector<SocketAddress> addresses_to_listen_on(const ListenOptions& options);

/// Opens non-blocking listening sockets. On a host without IPv6 (or IPv4), uses only the other.
/// Throws: SystemError.
[[nodiscard]] std::vector<FileDescriptor> open_listeners(const std::vector<SocketAddress>& addresses);

/// The address of a bound socket. Throws: SystemError.
[[nodiscard]] SocketAddress bound_address(const FileDescriptor& socket);

}  // namespace groma
