// The shippers of a receiver: one for each log server and transport, shared by all sessions whose logs go there, for as
// long as there is such a session. Thread: any.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "common/shipping/log_route.hpp"
#include "common/time/clock.hpp"
#include "receiver/log_target.hpp"

namespace groma {

class LogShippers {
public:
    /// `given` takes the logs that are to go over MPI; null: they are refused. It and the clock outlive the shippers.
    LogShippers(ShipperIdentity identity, LogShipper* given, Clock& clock)
        : identity_(std::move(identity)), given_(given), clock_(clock) {}

    /// Blocks until the server has opened the log. Throws: as LogShipper::open_log(), and UsageError for a transport
    /// that there is not.
    [[nodiscard]] std::unique_ptr<ShippedLog> open_log(const LogTarget& target);

private:
    using Key = std::pair<std::string, LogTransport>;

    [[nodiscard]] std::shared_ptr<LogShipper> shipper_for(const LogTarget& target);

    ShipperIdentity identity_;
    LogShipper* given_;
    Clock& clock_;
    std::mutex mutex_;  ///< guards shippers_
    // Shared by the logs that use it, of which nobody knows which will be the last.
    std::map<Key, std::weak_ptr<LogShipper>> shippers_;
};

}  // namespace groma
