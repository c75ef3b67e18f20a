// Conversations over UDP: one socket for each address that the log server listens on, any number of shippers on it
// (docs/reference/log-udp.md). Answers nobody it has no connection with, but for the two steps of an opening.
// Everything happens on the io_context's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/shipping/datagram/datagram_opening.hpp"
#include "logserver/tcp_carrier.hpp"

namespace groma {

struct UdpCarrierSettings {
    std::size_t max_connections = 1024;  ///< on each address; how many may ship is the host's business
    OpeningLimits opening;
    std::function<void()> stranger = [] {};  ///< told of each datagram that belongs to no connection
};

struct UdpCarrierCounts {
    OpeningCounts opening;
    std::uint64_t strangers = 0;     ///< datagrams that belong to no connection
    std::uint64_t not_ours = 0;      ///< datagrams that are none of this protocol
    std::uint64_t forged = 0;        ///< of a connection, but not sealed with its key, or damaged
    std::uint64_t malformed = 0;     ///< rightly sealed nonsense
    std::uint64_t refused = 0;       ///< openings beyond max_connections
    std::uint64_t kernel_drops = 0;  ///< because the socket's buffer was full
    bool operator==(const UdpCarrierCounts&) const = default;
};

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
    class Listener;
    CarrierSurroundings surroundings_;
    std::vector<std::unique_ptr<Listener>> listeners_;
};

}  // namespace groma
