#include "sender/commands/transport_list.hpp"

#include "common/cli/table.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/socket/socket_kind.hpp"

namespace groma {

namespace {

std::string said(const std::string& fault) {
    return fault.empty() ? "yes" : "no";
}

}  // namespace

std::string transport_list() {
    Table table({{"transport", Align::left}, {"IPv4: send"}, {"receive"}, {"IPv6: send"}, {"receive"}});
    std::string reasons;
    const SocketAddress v4 = SocketAddress::from_literal("127.0.0.1", 0);
    const SocketAddress v6 = SocketAddress::from_literal("::1", 0);
    for (const TransportTraits& each : kTransports) {
        const std::string send4 = sending_fault(each.transport, v4);
        const std::string receive4 = receiving_fault(each.transport, v4);
        const std::string send6 = sending_fault(each.transport, v6);
        const std::string receive6 = receiving_fault(each.transport, v6);
        table.add_row({std::string(each.name), said(send4), said(receive4), said(send6), said(receive6)});
        for (const std::string& fault : {send4, receive4, send6, receive6}) {
            if (not fault.empty()) {
                reasons += std::string(each.name) + ": " + fault + "\n";
                break;
            }
        }
    }
    return table.to_string() + (reasons.empty() ? "" : "\n" + reasons);
}

}  // namespace groma
