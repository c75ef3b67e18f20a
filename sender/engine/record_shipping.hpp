// Moves the records of a run from their producers' queues to the log, on its own threads: a log thread, and one that
// collects transmit stamps if requested (docs/design/threads.md).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "common/log/sample_queue.hpp"
#include "common/os/thread_maker.hpp"
#include "common/time/clock.hpp"
#include "sender/engine/log_drain.hpp"
#include "sender/engine/queued_record.hpp"
#include "sender/engine/stamp_worker.hpp"

namespace groma {

/// The sources of records. All outlive the shipping.
struct RecordSources {
    std::vector<SentQueue*> sent{};      ///< one per worker
    StampWorker* stamps = nullptr;       ///< null: not requested
    std::vector<ReplyQueue*> replies{};  ///< one per thread that takes replies; none: not logged
};

/// Thread: its owner's; end_of_work() and pushing to samples(): any.
class RecordShipping {
public:
    /// The flows by place. The clock outlives the shipping; its threads sleep by it.
    RecordShipping(const std::vector<FlowId>& flows, Clock& clock) : drain_(flows, nullptr), clock_(clock) {}
    RecordShipping(const RecordShipping&) = delete;
    RecordShipping& operator=(const RecordShipping&) = delete;
    /// Requires: all started work has ended. Joins the threads.
    ~RecordShipping();

    /// Its functions may be called only before start() or after join().
    [[nodiscard]] LogDrain& drain() noexcept { return drain_; }
    [[nodiscard]] const LogDrain& drain() const noexcept { return drain_; }
    [[nodiscard]] SampleQueue& samples() noexcept { return samples_; }

    /// Throws: what `make_thread` throws.
    void start(RecordSources sources, const ThreadMaker& make_thread = groma::make_thread);
    /// Each worker calls this once, after its last record. Thread: the worker's.
    void end_of_work() noexcept;
    /// Returns when all work has ended and its records are in the log. Replies may still arrive.
    void join();
    /// Ships samples pushed after join().
    void ship_last_samples();

    /// Ships only replies from now on, in a new log thread, until end_replies(). Requires: join() was called.
    void go_on_with_replies();
    /// Call after the last reply. Returns when all replies are in the log.
    void end_replies();

private:
    void ship_records();
    void ship_replies();
    void collect_stamps() noexcept;
    std::size_t drain_replies();
    void flush_now_and_then();
    [[nodiscard]] Nanos rest_after(std::size_t taken, Nanos nap);

    LogDrain drain_;
    Clock& clock_;
    RecordSources sources_;
    ThreadMaker make_thread_ = groma::make_thread;
    SampleQueue samples_;
    MonoTime flushed_{};                   ///< the log thread's
    std::atomic<std::size_t> working_{0};  ///< workers, and the thread of stamps
    std::mutex rest_mutex_;
    std::condition_variable rest_;  ///< the log thread's, until all work has ended
    std::atomic<bool> replies_over_{false};
    std::thread log_thread_;
    std::thread stamp_thread_;
};

}  // namespace groma
