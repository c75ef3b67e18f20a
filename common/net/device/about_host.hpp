// What this host is like, as names and values for people and for whoever compares hosts.
#pragma once

#include <map>
#include <string>

#include "common/net/socket/socket_address.hpp"

namespace groma {

/// "host", "kernel", "cpu", "cores", "clock source", "frequency governor", and of the device with the address `local`
/// "network device", "queueing discipline", "offloads". What cannot be found out is left out.
[[nodiscard]] std::map<std::string, std::string> about_host(const SocketAddress& local);

}  // namespace groma
