// A thread that receives the replies of flows with the round-trip meter. It sleeps while none arrive.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "common/net/channel/inbox.hpp"
#include "common/os/poller.hpp"
#include "common/os/thread_maker.hpp"
#include "common/os/wakeup.hpp"
#include "sender/engine/queued_record.hpp"
#include "sender/engine/reply_meter.hpp"

namespace groma {

/// The replies of one flow.
struct RepliesOfFlow {
    std::uint32_t place = 0;           ///< the flow's index in the engine's list
    std::unique_ptr<Inbox> inbox{};    ///< of its channel, which outlives the worker
    const SentRange* sent = nullptr;   ///< as ReplyMeter's, never null
    const SendTimes* times = nullptr;  ///< likewise
};

class ReplyWorker {
public:
    /// `queue` takes a record of each reply; null: not wanted. It outlives the worker. Throws: SystemError.
    ReplyWorker(std::vector<RepliesOfFlow> flows, ReplyQueue* queue);
    ReplyWorker(const ReplyWorker&) = delete;
    ReplyWorker& operator=(const ReplyWorker&) = delete;
    ~ReplyWorker() { stop(); }

    /// Throws: as starting a thread; std::bad_alloc.
    void start(const ThreadMaker& make_thread = groma::make_thread);
    /// Receives the replies that have arrived and ends the thread. A second call does nothing.
    void stop() noexcept;

    /// Replies of a flow so far; 0 for an unknown flow. Thread: any.
    [[nodiscard]] std::uint64_t returned(std::uint32_t place) const noexcept;
    /// Requires: the thread is not running.
    [[nodiscard]] RoundTrip result(std::uint32_t place) const;

private:
    struct Flow {
        explicit Flow(RepliesOfFlow given)
            : place(given.place), inbox(std::move(given.inbox)), meter(*given.sent, given.times) {}

        std::uint32_t place;
        std::unique_ptr<Inbox> inbox;
        ReplyMeter meter;
        std::uint64_t records_lost = 0;
        bool in_line = false;
        std::atomic<std::uint64_t> returned{0};
    };

    void run() noexcept;
    void serve_line() noexcept;
    void receive(Flow& flow) noexcept;
    [[nodiscard]] std::size_t take_some(Flow& flow) noexcept;
    [[nodiscard]] const Flow* find(std::uint32_t place) const noexcept;

    std::vector<std::unique_ptr<Flow>> flows_;  ///< by rising place
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
