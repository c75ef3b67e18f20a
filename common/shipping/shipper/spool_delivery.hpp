// Delivers the spools that programs left behind: one after the other, a line for each.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "common/shipping/shipper/log_route.hpp"
#include "common/shipping/spool/spool.hpp"
#include "common/time/clock.hpp"

namespace groma {

struct DeliveryOrder {
    std::filesystem::path folder;              ///< of the spools
    std::optional<LogServerAddress> server{};  ///< nothing: that for which the log was meant
    std::optional<LogTransport> transport{};   ///< nothing: as it was meant
    std::optional<std::uint64_t> bytes_per_second{};
    std::string program;  ///< who delivers
    /// Spools of programs that are called so, such as "groma-recv"; empty: of all.
    std::string of_program{};
    ShippingLimits limits{};
    std::shared_ptr<SpoolBudget> budget{};        ///< is told what is left in the folder; may be null
    Nanos lookup = SessionTimes().lookup;         ///< for a name server to say where a log server is
    LookUpName look_up = look_up_name;            ///< on threads of their own
    std::function<void(const std::string&)> say;  ///< a line for each spool
};

struct DeliveryCounts {
    std::uint64_t delivered = 0;  ///< also logs without an end, as far as they go
    std::uint64_t failed = 0;
    std::uint64_t left_alone = 0;  ///< a program that runs is shipping them
    [[nodiscard]] bool all() const { return failed == 0 and left_alone == 0; }
};

class SpoolDelivery {
public:
    /// The clock outlives the delivery.
    SpoolDelivery(DeliveryOrder order, Clock& clock)
        : order_(std::move(order)),
          resolver_({.time = order_.lookup, .look_up = order_.look_up}, clock),
          clock_(clock) {}

    /// Thread: may block for long. Throws: SystemError when the folder cannot be read.
    DeliveryCounts run();

    /// Delivers what comes until it is stopped, and tries a spool again after a rest. The spool that has taken the
    /// least time so far has the next turn, which lasts no longer than a rest. The first turns of a spool are shorter
    /// if its server confirms nothing. A folder that cannot be read is told of, once for each reason in a row.
    void run_until_stopped(Nanos between);

    /// run() returns soon; what is not delivered stays. Thread: any.
    void stop();

private:
    /// How long a server that confirms nothing is waited for, and one that confirms a little.
    struct Patience {
        ShippingTimes times;
        MonoTime until = MonoTime::max();
    };
    /// What became of a spool so far.
    struct Turns {
        Nanos spent{0};
        MonoTime due{};
    };
    using TurnsOfSpools = std::map<std::filesystem::path, Turns>;

    /// Returns: false when no spool is due.
    [[nodiscard]] bool deliver_next(TurnsOfSpools& turns, Nanos between);
    void give_turn(const std::filesystem::path& folder, Turns& turns, Nanos between);
    void keep_up(TurnsOfSpools& turns) const;
    void deliver(const std::filesystem::path& folder, const Patience& patience, DeliveryCounts& counts);
    void ship(std::unique_ptr<Spool> spool, const Patience& patience);

    DeliveryOrder order_;
    Resolver resolver_;
    Clock& clock_;
    std::atomic<bool> stopping_{false};
    std::mutex mutex_;  ///< guards shipper_
    std::condition_variable stop_;
    LogShipper* shipper_ = nullptr;
};

/// How many spools there are that no program has.
[[nodiscard]] std::size_t waiting_spools(const std::filesystem::path& parent);

/// Where a user's spools are: below $XDG_STATE_HOME, else below $HOME/.local/state, else in /var/tmp. Null or empty:
/// not set.
[[nodiscard]] std::filesystem::path user_spool_folder(const char* xdg_state_home, const char* home, unsigned uid);

}  // namespace groma
