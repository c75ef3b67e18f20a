// A rank that sends: one run of the sender (sender/run/send_run.hpp) on a thread of its own, started with the others'.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "mpi/world/outbox.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

/// Says "ready" when it could start, "progress" and "so_far" while it sends, "counted" when only its log is to be
/// closed, and "sent" at its end. Thread: its owner's.
class SenderRole {
public:
    struct Run {
        std::string run_id;
        std::string sender;             ///< what this one is called
        LogShipper* shipper = nullptr;  ///< for its log; outlives the role; null: none
    };
    /// Outbox and clock outlive the role.
    SenderRole(SenderOptions options, Run run, Outbox& outbox, Clock& clock);
    SenderRole(const SenderRole&) = delete;
    SenderRole& operator=(const SenderRole&) = delete;
    /// Stops it, if it has not ended.
    ~SenderRole();

    /// The instant that all senders agreed on, on this host's clock.
    void start_at(MonoTime start);
    /// 1 ends the flows, 2 the waiting for results as well. A lower level than an earlier one changes nothing.
    void stop(unsigned level);

private:
    void run() noexcept;
    [[nodiscard]] MonoTime await_start(Nanos margin);

    SenderOptions options_;
    Run run_;
    Outbox& outbox_;
    Clock& clock_;
    std::atomic<unsigned> stop_requests_{0};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<MonoTime> start_;
    std::thread thread_;
};

}  // namespace groma
