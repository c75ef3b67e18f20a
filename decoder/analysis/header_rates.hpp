// Throughput with headers: as IP packets, and on an Ethernet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/model/transport/transport.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Bytes of the headers of IP and transport of a packet, for transports that send each packet as one IP packet: UDP,
/// UDP-Lite, ICMP. Empty for others: TCP and SCTP split, join and repeat packets, and DCCP's headers have options.
/// `address` of either side: "10.0.0.1", "10.0.0.1:9000", "[fe80::1]:9000"; empty if it is not an address.
[[nodiscard]] std::optional<std::uint32_t> header_bytes(Transport transport, std::string_view address);

/// Fills in ip_bytes and ethernet_bytes, or why they are unknown. `address`: of the data socket.
void add_header_rates(Transport transport, std::string_view address, ReceivedFigures& received);

}  // namespace groma
