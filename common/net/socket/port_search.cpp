#include "common/net/socket/port_search.hpp"

#include <cerrno>
#include <string>

#include "common/model/transport/port_range.hpp"
#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

/// Returns: whether the port was free. Throws: SystemError for whatever else is wrong.
bool bound(const FileDescriptor& socket, const SocketAddress& address, const SocketAddress& peer) {
    try {
        bind_socket(socket, address, peer);
        return true;
    } catch (const SystemError& error) {
        if (error.errno_value() != EADDRINUSE) {
            throw;
        }
        return false;
    }
}

}  // namespace

void bind_in_range(const FileDescriptor& socket, const SocketAddress& address, const SocketAddress& peer,
                   const std::optional<PortRange>& range) {
    if (not range or address.port() != 0) {
        bind_socket(socket, address, peer);
        return;
    }
    for (std::uint32_t port = range->first; port <= range->last; ++port) {
        if (bound(socket, address.with_port(static_cast<std::uint16_t>(port)), peer)) {
            return;
        }
    }
    throw SystemError("bind one of the ports " + to_string(*range) + " of " + address.host_to_string(), EADDRINUSE,
                      "all of them are taken: give a larger range, or use fewer flows");
}

}  // namespace groma
