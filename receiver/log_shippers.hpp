// The shippers of a receiver: one for each log server and transport, shared by all sessions whose logs go there, for as
// long as there is such a session. Thread: any.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "common/net/socket/resolver.hpp"
#include "common/shipping/shipper/log_route.hpp"
#include "common/time/clock.hpp"
#include "receiver/log_target.hpp"

namespace groma {

class LogShippers {
public:
    /// `given` takes the logs that are to go over MPI; null: they are refused. It, the resolver and the clock outlive
    /// the shippers.
    LogShippers(ShipperIdentity identity, LogShipper* given, Resolver& resolver, Clock& clock)
        : identity_(std::move(identity)), given_(given), resolver_(resolver), clock_(clock) {}

    /// Blocks until the server has opened the log; what one session waits for delays no other. Throws: as
    /// Resolver::resolve() and LogShipper::open_log(), and UsageError for a transport that there is not.
    [[nodiscard]] std::unique_ptr<ShippedLog> open_log(const LogTarget& target);

    /// No address of a log server is waited for any more. Thread: any.
    void stop() { stopping_ = true; }

private:
    using Key = std::pair<std::string, LogTransport>;

    [[nodiscard]] std::shared_ptr<LogShipper> shipper_for(const LogTarget& target);
    [[nodiscard]] ShippingSettings settings_for(const LogTarget& target);

    ShipperIdentity identity_;
    LogShipper* given_;
    Resolver& resolver_;
    std::atomic<bool> stopping_{false};
    Clock& clock_;
    std::mutex mutex_;  ///< guards shippers_
    // Shared by the logs that use it; the last of them ends it.
    std::map<Key, std::weak_ptr<LogShipper>> shippers_;
};

}  // namespace groma
