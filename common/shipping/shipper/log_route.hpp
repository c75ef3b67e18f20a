// The way to a log server: its address and the transport.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/access/key_files.hpp"
#include "common/net/socket/resolver.hpp"
#include "common/shipping/protocol/log_server_address.hpp"
#include "common/shipping/protocol/log_transport.hpp"
#include "common/shipping/shipper/log_shipper.hpp"

namespace groma {

struct LogRoute {
    LogServerAddress server;
    LogTransport transport = LogTransport::tcp;
    std::optional<std::uint64_t> bytes_per_second{};  ///< limit for udp; empty: as much as the path carries
    bool operator==(const LogRoute&) const = default;
};

/// The identity of a shipper.
struct ShipperIdentity {
    std::string program;  ///< "groma-send 0.1.0"
    std::filesystem::path spool;
    ShippingLimits limits{};
    std::shared_ptr<SpoolBudget> budget{};  ///< as in ShippingSettings
    std::function<void(const std::string&)> report{};
    ResolveName resolve = groma::resolve;      ///< for the log server's name
    OfferKey offer = offers_of(std::nullopt);  ///< of a key to the log server
    bool of_stranger = false;                  ///< ships for one that is not this user, on this host
    std::string without_key{};                 ///< as in ShippingSettings
};

/// Resolves the server's name. Throws: SystemError or UsageError if the route is not possible, or no key can be offered
/// to a host of this name; RunError if the server is not found.
[[nodiscard]] ShippingSettings shipping_settings(const LogRoute& route, const ShipperIdentity& identity);

}  // namespace groma
