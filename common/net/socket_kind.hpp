// Which socket of the kernel a transport is, and whether this kernel has it.
#pragma once

#include <string>

#include "common/model/transport.hpp"
#include "common/net/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// A non-blocking socket for flows of this transport, of the family of `address`. Throws: SystemError "open a SCTP
/// socket for 10.0.0.1:9", with what to load or install when the kernel has no such protocol.
[[nodiscard]] FileDescriptor open_flow_socket(Transport transport, const SocketAddress& address);

/// Returns: why flows of this transport cannot be sent from here, or received here, with what to do; empty when they
/// can. `address` says over which family; its host and port do not matter.
[[nodiscard]] std::string sending_fault(Transport transport, const SocketAddress& address);
[[nodiscard]] std::string receiving_fault(Transport transport, const SocketAddress& address);

}  // namespace groma
