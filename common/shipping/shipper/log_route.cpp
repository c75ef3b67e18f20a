#include "common/shipping/shipper/log_route.hpp"

#include "common/base/errors.hpp"
#include "common/os/host.hpp"
#include "common/shipping/links/link_openers.hpp"

namespace groma {

namespace {

LinkOpener opener_of(const LogRoute& route, const SocketAddress& address, const std::string& peer,
                     const std::optional<OfferedKey>& key, const ShipperIdentity& identity) {
    const ShippingTimes& times = identity.limits.times;
    if (identity.of_stranger and address.is_loopback() and not key) {
        throw UsageError("the " + peer +
                         " takes logs of this user's programs without a key, and those of a daemon's client are none: "
                         "give groma-send --via a --key for it, or name it by another address");
    }
    switch (route.transport) {
        case LogTransport::tcp:
            return tcp_link(address, peer, key, times);
        case LogTransport::udp:
            return udp_link(address, peer, key, route.bytes_per_second, times);
        case LogTransport::mpi:
            break;
    }
    throw UsageError("logs can be shipped over mpi by groma-mpi only: use tcp or udp");
}

}  // namespace

ShippingSettings shipping_settings(const LogRoute& route, const ShipperIdentity& identity) {
    const SocketAddress address = identity.resolve(route.server.host, route.server.port);
    const std::string peer = "log server " + address.to_string() + " (" + std::string(to_string(route.transport)) + ")";
    const std::optional<OfferedKey> key = identity.offer(route.server.host, address);
    return {.open = opener_of(route, address, peer, key, identity),
            .peer = peer,
            .server = to_string(route.server),
            .transport = route.transport,
            .node = host_name(),
            .program = identity.program,
            .key_option = key ? " --key " + (key->file.empty() ? "FILE" : key->file) : "",
            .without_key = key ? std::string() : identity.without_key,
            .spool = identity.spool,
            .limits = identity.limits,
            .budget = identity.budget,
            .report = identity.report};
}

}  // namespace groma
