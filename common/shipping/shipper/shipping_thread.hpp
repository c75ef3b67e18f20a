// The thread of a LogShipper: carries out what its ShippingConversation decides, over one connection at a time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "common/os/wakeup.hpp"
#include "common/shipping/shipper/back_off.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "common/shipping/shipper/shipping_conversation.hpp"
#include "common/shipping/shipper/shipping_warnings.hpp"
#include "common/shipping/shipper/warning_limit.hpp"
#include "common/shipping/spool/kept_log.hpp"

namespace groma {

class ShippingThread {
public:
    /// Settings and clock outlive it.
    ShippingThread(const ShippingSettings& settings, Clock& clock);
    ShippingThread(const ShippingThread&) = delete;
    ShippingThread& operator=(const ShippingThread&) = delete;
    ~ShippingThread();

    // Thread of these: any but its own.

    /// `kept` stays until forget().
    LogId add(LogToShip log, KeptLog& kept);
    /// Throws: why the log is not open.
    void await_opened(LogId log);
    void handed(LogId log, std::uint64_t pieces);
    void end(LogId log, LogEnding ending);
    /// Returns when the log is done with. Throws: RunError with the reason when it is not and will not be.
    void await_end(LogId log, Nanos patience);
    /// The caller has no more interest in it.
    void forget(LogId log);

    /// Fails all logs.
    void stop_logs();

    [[nodiscard]] ShippingState state() const;
    /// Why the server took nothing of this log, the last time, and how often the connection was made anew.
    [[nodiscard]] std::pair<std::string, std::uint64_t> errors(LogId log) const;

private:
    struct Shipped {
        KeptLog* kept = nullptr;
        bool opened = false;
        bool held = false;
        bool over = false;
        std::uint64_t furthest = 0;               ///< pieces that the server was known to have
        std::optional<std::uint64_t> resumed_at;  ///< of these when it went on the last time
        std::exception_ptr failure;
        std::string held_because;
        std::string put_off_because;
        MonoTime progress{};
        std::uint64_t connections_before = 0;
    };

    /// What a turn ended with, held by nobody else.
    struct Error {
        std::exception_ptr failure;  ///< for logs, if it is one for them
        bool every_log = false;      ///< or those that were never opened
        std::string what;            ///< became of the connection
    };

    void run();
    [[nodiscard]] std::optional<Error> try_turn();
    void turn();
    void rest();
    void connect();
    void converse();
    void listen();
    void speak();
    [[nodiscard]] bool say(const FrameDue& due);
    void take(const LogNews& news);
    void take_opened(Shipped& log, std::uint64_t pieces);
    void go_on(Shipped& log);
    void take_put_off(Shipped& log, const std::string& reason);
    void take_durable(Shipped& log, std::uint64_t pieces);
    void progress(Shipped& log);
    void fail(Shipped& log, std::exception_ptr why);
    /// Fails the logs that were never opened, as their openers wait for that, or all.
    void fail_logs(std::exception_ptr why, bool all);
    void lost(const std::string& why);
    /// No log waits for the server to take pieces again.
    [[nodiscard]] bool none_held() const;
    /// For the operator, once the lock is given back. Nothing if it is empty.
    void warning(std::string sentence);
    void tell_warnings();
    [[nodiscard]] std::string why_not(const Shipped& log) const;

    const ShippingSettings& settings_;
    Clock& clock_;
    Wakeup wake_;
    std::atomic<bool> stopping_{false};

    mutable std::mutex mutex_;  ///< guards all below but the link
    std::condition_variable changed_;
    ShippingConversation conversation_;
    std::map<LogId, Shipped> logs_;
    ShippingState state_;
    ShippingWarnings warnings_;
    WarningLimit warning_limit_;
    std::vector<std::string> untold_;
    MonoTime last_life_{};  ///< something was heard or sent
    MonoTime try_again_{};
    BackOff back_off_;
    std::mt19937_64 random_;
    std::vector<std::byte> piece_;

    std::unique_ptr<ShippingLink> link_;  ///< the shipping thread's own
    std::thread thread_;
};

}  // namespace groma
