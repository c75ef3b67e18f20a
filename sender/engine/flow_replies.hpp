// The replies that one flow gets: received, measured, and recorded for the log.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "common/net/channel/inbox.hpp"
#include "sender/engine/queued_record.hpp"
#include "sender/engine/reply_meter.hpp"

namespace groma {

/// Thread: one at a time, that which takes replies; returned(): any.
class FlowReplies {
public:
    /// `place`: the flow's index in the engine's list. `inbox`: of its channel, which outlives this, as do `sent` and
    /// `times`: as ReplyMeter's.
    FlowReplies(std::uint32_t place, std::unique_ptr<Inbox> inbox, const SentRange& sent, const SendTimes* times)
        : place_(place), inbox_(std::move(inbox)), meter_(sent, times) {}

    /// As ReplyMeter's.
    void guard_against_replays() noexcept { meter_.guard_against_replays(); }

    /// Takes what has arrived, at most scratch.size(). `queue` takes a record of each; null: nobody wants them.
    /// `note(record)` sees each as well. Returns: how many arrived. Packet path.
    template <typename Note>
    std::size_t take_some(std::span<Arrival> scratch, ReplyQueue* queue, const Note& note) noexcept {
        const std::size_t count = inbox_->drain(scratch);
        for (const Arrival& reply : scratch.first(count)) {
            if (const auto record = meter_.take(reply)) {
                records_lost_ += queue == nullptr or queue->push({*record, place_}) ? 0U : 1U;
                note(*record);
            }
        }
        returned_.store(meter_.result().returned, std::memory_order_relaxed);
        return count;
    }
    std::size_t take_some(std::span<Arrival> scratch, ReplyQueue* queue) noexcept {
        return take_some(scratch, queue, [](const RoundTripRecord&) {});
    }

    /// Replies so far.
    [[nodiscard]] std::uint64_t returned() const noexcept { return returned_.load(std::memory_order_relaxed); }
    [[nodiscard]] RoundTrip result() const;
    [[nodiscard]] std::uint32_t place() const noexcept { return place_; }
    [[nodiscard]] const Inbox& inbox() const noexcept { return *inbox_; }

private:
    std::uint32_t place_;
    std::unique_ptr<Inbox> inbox_;
    ReplyMeter meter_;
    std::uint64_t records_lost_ = 0;
    std::atomic<std::uint64_t> returned_{0};
};

}  // namespace groma
