// Conversations over UDP: one listener for each address that the log server listens on (docs/reference/log-udp.md).
// Everything happens on the io_context's thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"
#include "logserver/tcp_carrier.hpp"
#include "logserver/udp_listener.hpp"

namespace groma {

/// "UDP: 3 connections, 12 datagrams of strangers dropped, ...": what is not zero.
[[nodiscard]] std::string to_string(const UdpCarrierCounts& counts);

/// A socket bound to each address, as open_listeners() does for TCP: the port may not be 0. Throws: SystemError.
[[nodiscard]] std::vector<FileDescriptor> open_udp_sockets(const std::vector<SocketAddress>& addresses);

class UdpCarrier {
public:
    /// Serves on `sockets` whenever the io_context runs, which it does not do any more when the carrier ends.
    UdpCarrier(std::vector<FileDescriptor> sockets, CarrierSurroundings surroundings,
               const UdpCarrierSettings& settings = {});
    ~UdpCarrier();
    UdpCarrier(const UdpCarrier&) = delete;
    UdpCarrier& operator=(const UdpCarrier&) = delete;

    /// Ends all connections, tells the shippers, listens no more, and reports what was dropped. Thread: the context's.
    void stop();

    [[nodiscard]] UdpCarrierCounts counts() const;

private:
    CarrierSurroundings surroundings_;
    std::vector<std::unique_ptr<UdpListener>> listeners_;
};

}  // namespace groma
