// A thread that waits on the inboxes of many flows and takes in what arrives. It sleeps while nothing does.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "common/net/channel/inbox.hpp"
#include "common/os/poller.hpp"
#include "common/os/wakeup.hpp"
#include "receiver/flow_receiver.hpp"

namespace groma {

class ReceiveWorker {
public:
    /// Starts the thread. Throws: SystemError.
    explicit ReceiveWorker(const std::string& name);
    ReceiveWorker(const ReceiveWorker&) = delete;
    ReceiveWorker& operator=(const ReceiveWorker&) = delete;
    /// Requires: all flows were removed.
    ~ReceiveWorker();

    /// The worker receives these flows from now on; they outlive their removal. Throws: SystemError, and then has none
    /// of them. Thread: any but the worker's; blocks for one turn of the worker's loop.
    void add(std::span<FlowReceiver* const> flows);

    /// Has the worker's thread do something between two batches. Thread: as add().
    void run(std::function<void()> task) { on_worker(std::move(task)); }

    /// Takes in what has arrived already, and lets go. Thread: as add().
    void remove(std::span<FlowReceiver* const> flows) noexcept;

    /// What its flows are expected to bring, in packets a second, by which flows are spread. Thread: whoever adds
    /// flows; one at a time.
    [[nodiscard]] double expected_pps() const noexcept { return expected_pps_; }
    void expect(double more_pps) noexcept { expected_pps_ += more_pps; }

private:
    void receive(const std::string& name) noexcept;
    void receive_from(FlowReceiver& flow) noexcept;
    void wait_as_it_wants(FlowReceiver& flow, int fd_before) noexcept;
    void serve_line() noexcept;
    [[nodiscard]] std::optional<Nanos> longest_wait() const noexcept;
    void end_rest() noexcept;
    void watch(std::span<FlowReceiver* const> flows);
    void unwatch(std::span<FlowReceiver* const> flows) noexcept;
    /// Has the worker do something between two batches, and waits for it.
    void on_worker(std::function<void()> task);
    void do_tasks();

    Poller poller_;
    Wakeup wakeup_;
    std::array<Arrival, 256> scratch_{};
    /// Flows whose turn ended before what has arrived did. An inbox may hold it in memory of its own, where no poller
    /// sees it. Room for all flows of the worker.
    std::vector<FlowReceiver*> line_;
    std::vector<FlowReceiver*> turn_;  ///< of the line: those that are being served
    /// Flows whose connection has come and cannot be had: the poller would show them all the time.
    std::vector<FlowReceiver*> resting_;
    unsigned turns_of_rest_ = 0;
    std::size_t flows_ = 0;
    double expected_pps_ = 0;
    std::mutex mutex_;
    std::vector<std::function<void()>> tasks_;  ///< guarded by mutex_
    std::atomic<bool> stopping_{false};
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace groma
