// What a flow's packets take with the headers around them: as IP packets, and on an Ethernet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/model/transport/transport.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Of IP and transport, for a packet of a transport that puts each into one of its own: UDP, UDP-Lite, ICMP. Nothing of
/// others: who splits, joins and repeats packets does so as it likes (TCP, SCTP), or with options of its own (DCCP).
/// `address` of either side, "10.0.0.1", "10.0.0.1:9000", "[fe80::1]:9000"; nothing when it is none.
[[nodiscard]] std::optional<std::uint32_t> header_bytes(Transport transport, std::string_view address);

/// Fills in throughput_ip_bps and throughput_ethernet_bps, or why they are unknown. `address`: of the data socket.
void add_header_rates(Transport transport, std::string_view address, ReceivedFigures& received);

}  // namespace groma
