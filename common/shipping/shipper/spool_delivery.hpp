// Delivers spools that programs left behind: one at a time, with one line of output for each.
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
    std::optional<LogServerAddress> server{};  ///< empty: the log's own
    std::optional<LogTransport> transport{};   ///< empty: the log's own
    std::optional<std::uint64_t> bytes_per_second{};
    std::string program;  ///< that delivers
    /// Only spools of programs of this name, such as "groma-recv"; empty: all.
    std::string of_program{};
    ShippingLimits limits{};
    std::shared_ptr<SpoolBudget> budget{};        ///< updated with the bytes left in the folder; may be null
    Nanos lookup = SessionTimes().lookup;         ///< for a name server's answer
    LookUpName look_up = look_up_name;            ///< called on threads of its own
    OfferKey offer = offers_of(std::nullopt);     ///< of a key to log servers
    std::function<void(const std::string&)> say;  ///< takes a line for each spool
};

struct DeliveryCounts {
    std::uint64_t delivered = 0;  ///< includes incomplete logs
    std::uint64_t failed = 0;
    std::uint64_t left_alone = 0;  ///< still being shipped by a running program
    [[nodiscard]] bool all() const { return failed == 0 and left_alone == 0; }
};

class SpoolDelivery {
public:
    /// The clock outlives the delivery.
    SpoolDelivery(DeliveryOrder order, Clock& clock)
        : order_(std::move(order)),
          resolver_({.time = order_.lookup, .look_up = order_.look_up}, clock),
          clock_(clock) {}

    /// Thread: may block for long. Throws: SystemError if the folder cannot be read.
    DeliveryCounts run();

    /// Delivers new spools until it is stopped, and retries a spool after a pause of `between`. The spool with the
    /// least time spent so far is next; its turn lasts at most one pause. A spool's first turns are shorter if its
    /// server confirms nothing. Reports a folder that cannot be read, once per reason in a row.
    void run_until_stopped(Nanos between);

    /// Makes run() return soon; undelivered spools stay. Thread: any.
    void stop();

private:
    /// How long to wait for a server without any progress, and until when in all.
    struct Patience {
        ShippingTimes times;
        MonoTime until = MonoTime::max();
    };
    /// Time spent on a spool, and its next turn.
    struct Turns {
        Nanos spent{0};
        MonoTime due{};
    };
    using TurnsOfSpools = std::map<std::filesystem::path, Turns>;

    /// Returns: false if no spool is due.
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

/// The number of spools that no program holds.
[[nodiscard]] std::size_t waiting_spools(const std::filesystem::path& parent);

/// A user's spool folder: below $XDG_STATE_HOME, else below $HOME/.local/state, else in /var/tmp. Null or empty: not
/// set.
[[nodiscard]] std::filesystem::path user_spool_folder(const char* xdg_state_home, const char* home, unsigned uid);

}  // namespace groma
