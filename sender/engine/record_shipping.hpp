// Brings the records of a run from the queues of those who make them to the log, on threads of its own: a log thread,
// and one that collects stamps where they were asked for (docs/design/threads.md).
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

/// Where records come from. All of it outlives the shipping.
struct RecordSources {
    std::vector<SentQueue*> sent{};  ///< of each worker
    StampWorker* stamps = nullptr;   ///< null: nobody asked for any
    ReplyQueue* replies = nullptr;   ///< null: nobody wants them in the log
};

/// Thread: its owner's, but for end_of_work(), and for samples(), which anyone may push to.
class RecordShipping {
public:
    /// The flows by place. The clock outlives the shipping; its threads sleep by it.
    RecordShipping(const std::vector<FlowId>& flows, Clock& clock) : drain_(flows, nullptr), clock_(clock) {}
    RecordShipping(const RecordShipping&) = delete;
    RecordShipping& operator=(const RecordShipping&) = delete;
    /// Requires: all work that was begun has ended. Returns when the threads have.
    ~RecordShipping();

    /// Requires, of whoever calls its functions: before start() or after join().
    [[nodiscard]] LogDrain& drain() noexcept { return drain_; }
    [[nodiscard]] const LogDrain& drain() const noexcept { return drain_; }
    [[nodiscard]] SampleQueue& samples() noexcept { return samples_; }

    /// Throws: what `make_thread` throws.
    void start(RecordSources sources, const ThreadMaker& make_thread = groma::make_thread);
    /// Each worker says so once, when it will record nothing any more. Thread: the worker's.
    void end_of_work() noexcept;
    /// Returns when all work has ended and every record of it is in the log. Replies go on coming.
    void join();
    /// Samples that were pushed behind join().
    void ship_last_samples();

    /// From now on replies alone, in a log thread of their own until end_replies(). Requires: join() was called.
    void go_on_with_replies();
    /// No reply comes any more. Returns when all are in the log.
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
    std::condition_variable rest_;  ///< of the log thread, until there is no work any more
    std::atomic<bool> replies_over_{false};
    std::thread log_thread_;
    std::thread stamp_thread_;
};

}  // namespace groma
