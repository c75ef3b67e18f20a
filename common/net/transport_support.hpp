// Whether this host can send and receive flows of a transport.
#pragma once

#include <string>

#include "common/model/transport/transport.hpp"
#include "common/net/socket/socket_address.hpp"

namespace groma {

/// Returns: why flows of this transport cannot be sent from here, or received here, with what to do; empty when they
/// can. `address` says over which family; its host and port do not matter.
[[nodiscard]] std::string sending_fault(Transport transport, const SocketAddress& address);
[[nodiscard]] std::string receiving_fault(Transport transport, const SocketAddress& address);

}  // namespace groma
