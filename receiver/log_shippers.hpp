// The shippers of a receiver: one for each log server and transport, shared by the sessions that use it and destroyed
// with the last. Thread: any.
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
    /// `given` ships logs over MPI; null: such logs are refused. It, the resolver and the clock outlive the shippers.
    LogShippers(ShipperIdentity identity, LogShipper* given, Resolver& resolver, Clock& clock)
        : identity_(std::move(identity)), given_(given), resolver_(resolver), clock_(clock) {}

    /// Blocks until the server has opened the log, without delay for other sessions. Throws: as Resolver::resolve() and
    /// LogShipper::open_log(); UsageError for an unavailable transport.
    [[nodiscard]] std::unique_ptr<ShippedLog> open_log(const LogTarget& target);

    /// Of all logs.
    [[nodiscard]] const SpoolBudget& spool_budget() const { return *identity_.budget; }

    /// Ends all waits for a log server's address. Thread: any.
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
    // The logs that use a shipper own it.
    std::map<Key, std::weak_ptr<LogShipper>> shippers_;
};

}  // namespace groma
