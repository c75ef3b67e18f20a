// The conversation of a shipper with its server, shared by the threads that write logs and the one that ships them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/os/wakeup.hpp"
#include "common/shipping/links/shipping_link.hpp"
#include "common/shipping/shipper/back_off.hpp"
#include "common/shipping/shipper/log_outcomes.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "common/shipping/shipper/shipping_conversation.hpp"
#include "common/shipping/shipper/shipping_warnings.hpp"
#include "common/shipping/shipper/warning_limit.hpp"
#include "common/shipping/spool/kept_log.hpp"

namespace groma {

class SharedConversation {
public:
    /// Settings and clock outlive it. Throws: SystemError.
    SharedConversation(const ShippingSettings& settings, Clock& clock);

    // Thread of these: any but the shipping thread.

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
    /// Why the server last took nothing of this log, and how often the connection was made again.
    [[nodiscard]] std::pair<std::string, std::uint64_t> errors(LogId log) const;

    // Thread of these: the shipping thread.

    /// When to connect; MonoTime::max(): there is nothing to ship.
    [[nodiscard]] MonoTime connect_at() const;
    void connected();
    /// Takes the frames that the link has and gives it those that are due. Returns: when to do so again at the latest.
    /// Throws: what is wrong with the connection.
    [[nodiscard]] MonoTime converse(ShippingLink& link);
    /// The connection is lost, or cannot be made.
    void lost(const std::string& why);
    /// Fails the logs that were never opened, as their openers wait for that, or all.
    void fail_logs(std::exception_ptr why, bool all);
    /// Sentences for the operator. `is_end`: also those that were to wait.
    [[nodiscard]] std::vector<std::string> take_warnings(bool is_end);

    // Thread of these: any.

    /// There is something to do: wake_fd() is readable.
    void wake() { wake_.notify(); }
    void clear_wake() { wake_.clear(); }
    [[nodiscard]] int wake_fd() const { return wake_.fd(); }

private:
    void listen(ShippingLink& link);
    void speak(ShippingLink& link);
    [[nodiscard]] bool say(ShippingLink& link, const FrameDue& due);
    void take(const LogNews& news);
    void made_progress();
    /// For the operator, later. Nothing if it is empty.
    void warning(std::string sentence);

    const ShippingSettings& settings_;
    Clock& clock_;
    Wakeup wake_;

    mutable std::mutex mutex_;  ///< guards all below
    std::condition_variable changed_;
    ShippingConversation conversation_;
    LogOutcomes logs_;
    ShippingState state_;
    ShippingWarnings warnings_;
    WarningLimit warning_limit_;
    std::vector<std::string> pending_warnings_;
    MonoTime last_life_{};  ///< something was heard or sent
    MonoTime try_again_{};
    BackOff back_off_;
    std::mt19937_64 random_;
    std::vector<std::byte> piece_;
};

}  // namespace groma
