// Which socket of the kernel a transport is.
#pragma once

#include "common/model/transport/transport.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// A non-blocking socket for flows of this transport, of the family of `address`. Throws: SystemError "open a SCTP
/// socket for 10.0.0.1:9", with what to load or install when the kernel has no such protocol.
[[nodiscard]] FileDescriptor open_flow_socket(Transport transport, const SocketAddress& address);

}  // namespace groma
