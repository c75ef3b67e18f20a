// One thread's share of the flows: always the one with the earliest deadline, on time if it can be, in batches when it
// is behind.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/time/clock.hpp"
#include "sender/engine/backlog.hpp"
#include "sender/engine/blocked_flows.hpp"
#include "sender/engine/deadline_heap.hpp"
#include "sender/engine/flow_sender.hpp"
#include "sender/engine/pacer.hpp"
#include "sender/engine/writable_watch.hpp"

namespace groma {

struct WorkerOptions {
    std::size_t queue_records = 0;
    std::size_t largest_batch = 1;
};

/// A state machine that is stepped: the thread of the engine does nothing but step() until it is finished, and a
/// simulation does the same in virtual time (docs/design/pacing.md). The flows, the clock and the watch outlive it.
/// Thread: one, but for ask_to_stop() and ask_to_poll().
class SendWorker {
public:
    SendWorker(std::vector<FlowSender*> flows, const WorkerOptions& options, Clock& clock, WritableWatch& watch);

    /// Offsets of all flows count from `start`. To be called once, before step().
    void begin(MonoTime start) noexcept;

    enum class Step : std::uint8_t {
        sent,      ///< a flow had its turn
        waited,    ///< slept until a deadline was near, or for Pacer::kLongestSleep
        spinning,  ///< next_deadline() is too near for a sleep: step again
        finished,  ///< all flows have ended
    };
    /// Packet path: does the next thing.
    Step step() noexcept;

    /// The earliest deadline of the flows that are not blocked. Requires: there is one (after Step::spinning).
    [[nodiscard]] MonoTime next_deadline() const noexcept { return heap_.top().at; }

    /// From any thread: all flows end as interrupted. A sleeping worker notices within Pacer::kLongestSleep.
    void ask_to_stop() noexcept;
    /// From any thread: the failure of one of the flows was requested.
    void ask_to_poll() noexcept { asked_.store(true, std::memory_order_release); }

    /// Whether its flows' replies are taken by the thread of step().
    [[nodiscard]] bool takes_replies() const noexcept { return not tools_.replies.empty(); }

    /// Time spent asleep, in all. Thread: that of step().
    [[nodiscard]] Nanos slept() const noexcept { return slept_; }

    [[nodiscard]] SentQueue& queue() noexcept { return queue_; }
    [[nodiscard]] Nanos guard() const noexcept { return pacer_.guard(); }

private:
    void check_requests() noexcept;
    void warm_up(MonoTime now) noexcept;
    void take_scheduled_turn(MonoTime now) noexcept;
    /// The flow at the top of the heap, and those behind it that are due as well and have the same socket.
    void take_shared_turn(MonoTime now) noexcept;
    void send_shared(std::size_t sharers, std::size_t frames, MonoTime now) noexcept;
    void take_backlog_turn(Backlog& backlog, MonoTime now) noexcept;
    void requeue(std::uint32_t flow, FlowSender::Turn turn, MonoTime now) noexcept;
    void queue_up(std::uint32_t flow, MonoTime now) noexcept;
    [[nodiscard]] bool deadline_within(MonoTime until) const noexcept;
    [[nodiscard]] bool poll_is_due(MonoTime now) const noexcept;
    bool unblock_ready(MonoTime now) noexcept;
    void wait(MonoTime now, MonoTime until) noexcept;
    /// The earliest time at which a flow that waits for replies wants a turn without one, at most `until`.
    [[nodiscard]] MonoTime wanted_by(MonoTime until) noexcept;

    /// A flow's part of a call that several share.
    struct Sharer {
        std::uint32_t flow = 0;
        std::size_t frames = 0;
    };

    std::vector<FlowSender*> flows_;
    Clock& clock_;
    WritableWatch& watch_;
    SentQueue queue_;
    SendTools tools_;
    Pacer pacer_;
    // A flow that has not ended is in one of the next four; numbers are places in flows_.
    DeadlineHeap heap_;            ///< waits for its deadline
    Backlog backlog_;              ///< is behind, and can send
    Backlog greedy_;               ///< goes as fast as possible, and can send
    BlockedFlows blocked_;         ///< waits for its socket, or for replies
    std::vector<Sharer> sharers_;  ///< of the call at hand; as many as the largest batch
    Nanos slept_{0};
    MonoTime warmed_up_for_ = MonoTime::min();  ///< the deadline before which a warm-up was the last
    MonoTime polled_at_{};                      ///< when the sockets were last asked
    std::atomic<bool> asked_{false};
    std::atomic<bool> stop_{false};
};

}  // namespace groma
