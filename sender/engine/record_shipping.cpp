#include "sender/engine/record_shipping.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "common/os/process.hpp"
#include "common/os/scheduling.hpp"

namespace groma {

namespace {

/// The log thread naps between two polls of the queues, while some thousand records arrive: each wakeup on a worker's
/// core delays a packet or two. A queue of a million records takes at least 80 ms to fill.
constexpr Nanos kNap = std::chrono::milliseconds(3);
constexpr Nanos kLongestNap = std::chrono::milliseconds(80);
constexpr std::size_t kFewRecords = 4096;
constexpr std::size_t kManyRecords = 32768;
/// Replies and stamps come from threads that only wait for the network.
constexpr std::size_t kLittle = 1024;
constexpr Nanos kBetweenFlushes{1'000'000'000};
/// The most records taken from one queue per turn.
constexpr std::size_t kMostAtOnce = 65536;
/// Wait for stamps of packets that are still in a queue of this host.
constexpr Nanos kLastStamps{200'000'000};

}  // namespace

RecordShipping::~RecordShipping() {
    // Workers that never started do not report their end; the stamp thread always does.
    const std::size_t left = stamp_thread_.joinable() ? 1 : 0;
    for (std::size_t working = working_; working > left and not working_.compare_exchange_weak(working, left);) {
    }
    end_replies();
    join();
}

void RecordShipping::start(RecordSources sources, const ThreadMaker& make_thread) {
    sources_ = std::move(sources);
    make_thread_ = make_thread;
    working_.store(sources_.sent.size() + (sources_.stamps != nullptr ? 1 : 0), std::memory_order_relaxed);
    log_thread_ = make_thread([this] { ship_records(); });
    if (sources_.stamps != nullptr) {
        stamp_thread_ = make_thread([this] { collect_stamps(); });
    }
}

void RecordShipping::join() {
    if (stamp_thread_.joinable()) {
        stamp_thread_.join();
    }
    if (log_thread_.joinable()) {
        log_thread_.join();
    }
}

void RecordShipping::ship_last_samples() {
    if (drain_.drain(samples_)) {
        drain_.flush();
    }
}

void RecordShipping::go_on_with_replies() {
    if (sources_.replies.empty()) {
        return;
    }
    try {
        log_thread_ = make_thread_([this] { ship_replies(); });
    } catch (const SystemError&) {
        // end_replies() logs the queue's records; replies that found it full count as not logged.
    }
}

void RecordShipping::end_replies() {
    replies_over_.store(true, std::memory_order_release);
    if (log_thread_.joinable()) {
        log_thread_.join();
    }
    bool any = false;  // records left over, without a log thread
    while (drain_replies() > 0) {
        any = true;
    }
    if (any) {
        drain_.flush();
    }
}

void RecordShipping::end_of_work() noexcept {
    const std::scoped_lock lock(rest_mutex_);
    working_.fetch_sub(1, std::memory_order_release);
    rest_.notify_one();
}

void RecordShipping::ship_records() {
    set_thread_name("send log");
    yield_to_others();
    flushed_ = clock_.now();
    Nanos nap = kNap;
    for (;;) {
        const bool last = working_.load(std::memory_order_acquire) == 0;
        std::size_t taken = 0;
        for (SentQueue* const queue : sources_.sent) {
            taken += drain_.drain(*queue, kMostAtOnce);
        }
        taken += sources_.stamps != nullptr ? drain_.drain(sources_.stamps->queue()) : 0;
        drain_.drain(samples_);
        if (last and taken == 0) {  // more replies may come: ship_replies()
            break;
        }
        taken += drain_replies();
        flush_now_and_then();
        if (not last) {
            nap = rest_after(taken, nap);
        }
    }
    drain_.flush();
}

/// Ships replies that arrive after the last packet.
void RecordShipping::ship_replies() {
    set_thread_name("send log");
    yield_to_others();
    for (;;) {
        const bool last = replies_over_.load(std::memory_order_acquire);
        const std::size_t taken = drain_replies();
        if (last and taken == 0) {
            break;
        }
        flush_now_and_then();
        if (taken < kLittle and not last) {
            clock_.sleep_until(clock_.now() + kNap);
        }
    }
    drain_.flush();
}

/// Runs until all workers have ended, and then until every stamp has arrived or none came for kLastStamps.
void RecordShipping::collect_stamps() noexcept {
    set_thread_name("groma-stamps");
    yield_to_others();
    while (working_.load(std::memory_order_acquire) > 1) {
        if (sources_.stamps->collect() < kLittle) {
            clock_.sleep_until(clock_.now() + kNap);
        }
    }
    MonoTime deadline = clock_.now() + kLastStamps;
    while (not sources_.stamps->has_all() and clock_.now() < deadline) {
        if (sources_.stamps->collect() > 0) {
            deadline = clock_.now() + kLastStamps;
        } else {
            clock_.sleep_until(clock_.now() + kNap);
        }
    }
    end_of_work();
}

/// Waits until there may be records again. Returns: how long to rest the next time.
Nanos RecordShipping::rest_after(std::size_t taken, Nanos nap) {
    if (taken >= kManyRecords) {
        return std::max(nap / 2, kNap);
    }
    std::unique_lock lock(rest_mutex_);
    rest_.wait_for(lock, nap, [this] { return working_.load(std::memory_order_acquire) == 0; });
    return taken < kFewRecords ? std::min(2 * nap, kLongestNap) : nap;
}

std::size_t RecordShipping::drain_replies() {
    std::size_t taken = 0;
    for (ReplyQueue* const queue : sources_.replies) {
        taken += drain_.drain(*queue, kMostAtOnce);
    }
    return taken;
}

void RecordShipping::flush_now_and_then() {
    if (const MonoTime now = clock_.now(); now - flushed_ >= kBetweenFlushes) {
        drain_.flush();
        flushed_ = now;
    }
}

}  // namespace groma
