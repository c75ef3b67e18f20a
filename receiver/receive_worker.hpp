// A thread that waits on the inboxes of many flows and receives their packets. It sleeps while none arrive.
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

    /// Adds flows, which must outlive their removal. Throws: SystemError, with none added. Thread: any but the
    /// worker's; blocks for one turn of its loop.
    void add(std::span<FlowReceiver* const> flows);

    /// Runs `task` on the worker's thread between two batches. Thread: as add().
    void run(std::function<void()> task) { on_worker(std::move(task)); }

    /// Receives the packets that have arrived, then removes the flows. Thread: as add().
    void remove(std::span<FlowReceiver* const> flows) noexcept;

    /// The expected load of its flows in packets per second, for the distribution of flows. Thread: those that add
    /// flows, one at a time.
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
    /// Runs `task` on the worker's thread between two batches and waits for it.
    void on_worker(std::function<void()> task);
    void do_tasks();

    Poller poller_;
    Wakeup wakeup_;
    std::array<Arrival, 256> scratch_{};
    /// Flows whose turn ended before all their packets were taken. An inbox may buffer packets, invisible to the
    /// poller. Capacity for all flows of the worker.
    std::vector<FlowReceiver*> line_;
    std::vector<FlowReceiver*> turn_;  ///< the part of line_ that is being served
    /// Flows whose pending connection cannot be accepted: the poller would report them all the time.
    std::vector<FlowReceiver*> resting_;
    unsigned turns_of_rest_ = 0;
    std::size_t flows_ = 0;
    double expected_pps_ = 0;
    std::mutex mutex_;
    std::vector<std::function<void()>> tasks_;  ///< guarded by mutex_
    std::atomic<bool> stopping_{false};
    std::thread thread_;  ///< last: uses all members above
};

}  // namespace groma
