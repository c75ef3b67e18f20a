// The way to a log server: where it is and what carries the logs there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/net/socket/resolver.hpp"
#include "common/shipping/protocol/log_server_address.hpp"
#include "common/shipping/protocol/log_transport.hpp"
#include "common/shipping/shipper/log_shipper.hpp"

namespace groma {

struct LogRoute {
    LogServerAddress server;
    LogTransport transport = LogTransport::tcp;
    std::optional<std::uint64_t>
        bytes_per_second{};  ///< the most that udp may use; nothing: as much as the path carries
    bool operator==(const LogRoute&) const = default;
};

/// Who ships, and how.
struct ShipperIdentity {
    std::string program;  ///< "groma-send 0.1.0"
    std::filesystem::path spool;
    ShippingLimits limits{};
    std::shared_ptr<SpoolBudget> budget{};  ///< as in ShippingSettings
    std::function<void(const std::string&)> report{};
    ResolveName resolve = groma::resolve;  ///< of the log server
};

/// Resolves the server's name. Throws: SystemError or UsageError when there is no such way, RunError when there is no
/// such server.
[[nodiscard]] ShippingSettings shipping_settings(const LogRoute& route, const ShipperIdentity& identity);

}  // namespace groma
