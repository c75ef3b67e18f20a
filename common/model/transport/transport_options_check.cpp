#include <algorithm>

#include "common/model/transport/transport_options.hpp"

namespace groma {

namespace {

std::string names(std::span<const Transport> transports) {
    std::string all;
    for (const Transport each : transports) {
        all.append(all.empty() ? "" : " or ").append(to_string(each));
    }
    return all;
}

}  // namespace

std::vector<std::string> option_errors(const TransportOptions& options, Transport transport) {
    std::vector<std::string> found;
    for (const TransportOptionRow& row : transport_option_rows()) {
        if (row.get(options) and not row.only.empty() and std::ranges::find(row.only, transport) == row.only.end()) {
            found.push_back(std::string(row.key) + " is of " + names(row.only) + " only, and the flow goes over " +
                            std::string(to_string(transport)));
        }
    }
    if (options.source_port and not traits(transport).ports) {
        found.push_back("source_port: " + std::string(traits(transport).title) + " has no ports");
    }
    if (options.source_port and options.source_ports) {
        found.emplace_back("source_port and source_ports: give one or the other");
    }
    if ((options.ports or options.source_ports) and not traits(transport).ports) {
        found.push_back("ports: " + std::string(traits(transport).title) + " has none");
    }
    if (options.source_specific and options.group.empty()) {
        found.emplace_back("source_specific: it takes a multicast group");
    }
    if (options.coverage and *options.coverage > 0 and *options.coverage < 8) {
        found.emplace_back("coverage: it is 0 or at least the header's 8 bytes (RFC 3828)");
    }
    if (options.association and options.own_socket.value_or(false)) {
        found.emplace_back(
            "own_socket and association: a flow has a socket of its own or shares one; give one of them");
    }
    if (options.association and options.departure_lead.value_or(Nanos{0}) > Nanos{0}) {
        found.emplace_back("departure and association: of flows that share a socket the kernel cannot hold packets");
    }
    if (options.lifetime and options.retransmissions) {
        found.emplace_back("lifetime and retransmissions: a message is given up by one or the other");
    }
    return found;
}

}  // namespace groma
