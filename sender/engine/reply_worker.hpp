// A thread that receives the replies of flows with the round-trip meter. It sleeps while none arrive.
#pragma once

#include <array>
#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include "common/os/poller.hpp"
#include "common/os/thread_maker.hpp"
#include "common/os/wakeup.hpp"
#include "sender/engine/flow_replies.hpp"

namespace groma {

class ReplyWorker {
public:
    /// `queue` takes a record of each reply; null: not wanted. Flows and queue outlive the worker. Throws: SystemError.
    ReplyWorker(std::span<FlowReplies* const> flows, ReplyQueue* queue);
    ReplyWorker(const ReplyWorker&) = delete;
    ReplyWorker& operator=(const ReplyWorker&) = delete;
    ~ReplyWorker() { stop(); }

    /// Throws: as starting a thread; std::bad_alloc.
    void start(const ThreadMaker& make_thread = groma::make_thread);
    /// Receives the replies that have arrived and ends the thread. A second call does nothing.
    void stop() noexcept;

private:
    struct Flow {
        FlowReplies* replies;
        bool in_line = false;
    };

    void run() noexcept;
    void serve_line() noexcept;
    void receive(Flow& flow) noexcept;

    std::vector<Flow> flows_;  ///< not resized: the poller has their addresses
    ReplyQueue* queue_;
    Poller poller_;
    Wakeup wakeup_;
    std::array<Arrival, 64> scratch_{};
    std::vector<Flow*> line_;  ///< flows with more replies than a turn takes; pollers do not see an inbox's buffer
    std::vector<Flow*> turn_;
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

}  // namespace groma
