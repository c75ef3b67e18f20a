// The device through which packets leave this host, as the kernel's routes have it.
#pragma once

#include <string>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// Of a flow's packets.
struct Way {
    SocketAddress from;
    SocketAddress to;
    std::string device{};  ///< that they have to take (SO_BINDTODEVICE); empty: any
};

/// Its number, in the network namespace of the caller. Throws: SystemError; RunError when the kernel does not say.
[[nodiscard]] int device_towards(const Way& way);

}  // namespace groma
