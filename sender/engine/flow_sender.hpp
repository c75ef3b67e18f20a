// One flow on its way out: its departures, its channel and what became of its packets.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/time/clock.hpp"
#include "sender/engine/engine_flow.hpp"
#include "sender/engine/look_ahead.hpp"
#include "sender/engine/payload.hpp"
#include "sender/engine/queued_record.hpp"
#include "sender/engine/send_stamps.hpp"
#include "sender/engine/send_times.hpp"
#include "sender/engine/sent_range.hpp"

namespace groma {

/// What a worker lends to its flows for their turns.
struct SendTools {
    Clock& clock;
    SentQueue& queue;
    std::vector<Frame> frames;  ///< as many as the largest batch
};

/// Thread: made and asked for its outcome by the engine's owner while no worker runs; begin() to interrupt() by its
/// worker; progress(), ended() and condemn() by anyone.
class FlowSender {
public:
    /// A batch ends with the packet that would exceed this, so that large frames of one flow do not make others wait.
    static constexpr std::size_t kLargestBatchBytes = 256 * 1024;
    /// What is still unsent so long after the flow's duration is given up: a flow that asks for more than the host or
    /// the path can carry would otherwise run on for ever. A flow that could have sent and got no turn since before its
    /// end (the host stood still) has that time once it gets one.
    static constexpr Nanos kOvertime{1'000'000'000};

    /// How a turn ended.
    enum class Turn : std::uint8_t {
        ready,    ///< the next one is wanted at next_deadline()
        blocked,  ///< the socket is full: the next one is wanted when it can be written to
        ended,
    };

    /// Requires: flow.payload. `place` is the flow's place in the engine's list; `largest_batch` is at most the
    /// worker's: memory is kept for so many departures.
    FlowSender(FlowToSend flow, std::uint32_t place, std::size_t largest_batch);

    /// From now on the time of each packet is kept there as well, before it leaves. Requires: no worker has the flow.
    void keep_times_in(SendTimes& times) { times_ = &times; }
    /// And which packets are sent, likewise.
    void note_sent_in(SentRange& range) { range_ = &range; }

    /// Offsets count from `start` from now on. Draws the first departures.
    Turn begin(MonoTime start) noexcept;

    /// Sends the packets that are due at `now`, in one call if there are several, at most tools.frames.size(). Packet
    /// path.
    Turn take_turn(MonoTime now, SendTools& tools) noexcept;

    /// A turn in pieces, for flows of one socket whose packets go in one call (shares_calls()): the packets that are
    /// due; none when the flow wants a turn by itself. Packet path.
    [[nodiscard]] std::size_t offer(MonoTime now, std::span<Frame> frames) noexcept;
    /// Then their headers, ...
    void stamp(std::span<Frame> frames, WallTime sent_at) noexcept;
    /// ... one send() of the channel of any of the flows, ...
    [[nodiscard]] SendOutcome send(std::span<const Frame> frames) noexcept { return channel_->send(frames); }
    /// ... and what became of this flow's packets, in a call of which the kernel took `batch`.
    Turn settle(const SendOutcome& outcome, std::size_t batch, const SendStamps& stamps, SentQueue& queue) noexcept;
    [[nodiscard]] bool shares_calls() const noexcept { return shares_calls_; }

    /// Does what a turn does up to the send call, for nothing: code and data of the next packet are in the caches then,
    /// and not fetched between its deadline and its departure. Requires: as next_deadline(). Packet path.
    void warm_up(SendTools& tools) noexcept;

    /// Whether the next turn may as well be taken early: the kernel lets the packets go when they are due.
    [[nodiscard]] bool may_be_early() const noexcept { return lead_ > Nanos{0}; }
    /// Requires: the last turn ended `ready`.
    [[nodiscard]] MonoTime next_deadline() const noexcept { return deadline_; }
    /// When what is left is given up; beyond all times for a flow without a duration.
    [[nodiscard]] MonoTime gives_up_at() const noexcept { return gives_up_at_; }

    /// Ends a flow that has not ended yet; one that has only held bytes left to send is complete.
    void interrupt() noexcept { end(ahead_.peek(0) == nullptr ? FlowEnd::complete : FlowEnd::interrupted); }
    /// Ends it as failed, for the reason given to condemn().
    void fail() noexcept { end(FlowEnd::failed); }

    [[nodiscard]] bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
    [[nodiscard]] FlowProgress progress() const noexcept;

    /// Asks for the flow's end; its worker sees to it.
    void condemn() noexcept { condemned_.store(true, std::memory_order_release); }
    [[nodiscard]] bool condemned() const noexcept { return condemned_.load(std::memory_order_acquire); }

    /// Closes the channel after the worker has left it, waiting at most `limit` for what it holds.
    void close(Nanos limit) noexcept;
    /// All but the fidelity; `why_condemned` is the error of a flow that was failed from outside.
    [[nodiscard]] FlowOutcome outcome(const std::string& why_condemned) const;

    [[nodiscard]] FlowId id() const noexcept { return id_; }
    [[nodiscard]] std::uint32_t place() const noexcept { return place_; }
    [[nodiscard]] int fd() const noexcept { return channel_->fd(); }
    /// As Channel::take_transmit_stamps(). Thread: one at a time, beside the worker.
    [[nodiscard]] std::size_t take_transmit_stamps(std::span<TransmitStamp> out) noexcept {
        return channel_->take_transmit_stamps(out);
    }
    /// Thread: any.
    [[nodiscard]] std::optional<ConnectionSample> sample() const noexcept { return channel_->sample(); }

private:
    /// When it is to leave: as scheduled, and later by what the flow was shifted.
    [[nodiscard]] MonoTime due_at(const Departure& departure) const noexcept {
        return start_ + counts_.shifted + departure.offset;
    }
    /// When it leaves if it is sent at `now`.
    [[nodiscard]] MonoTime leaves_at(const Departure& departure, MonoTime now) const noexcept {
        return lead_ > Nanos{0} ? std::max(due_at(departure), now) : now;
    }
    /// Of the first `sent` ones, those that leave at once, in one call.
    [[nodiscard]] std::size_t leaving_together(std::size_t sent, MonoTime now) noexcept;
    /// On the wire and in the log: missed departures leave no hole.
    [[nodiscard]] std::uint64_t seq_of(const Departure& departure) const noexcept {
        return departure.seq - counts_.missed_slots;
    }
    /// The policy of the flow, before it sends. Returns: false when it is not to send yet.
    [[nodiscard]] bool leave_out_missed(MonoTime now) noexcept;
    [[nodiscard]] Nanos last_offset_to_send(MonoTime now) noexcept;
    /// And when it has sent.
    void note_lateness(MonoTime sent_mono, const Departure& first) noexcept;
    [[nodiscard]] std::size_t collect(MonoTime now, std::span<Frame> frames) noexcept;
    /// Of the packet `place` places behind the next one. Returns: its sequence number.
    std::uint32_t write_header(std::size_t place, WallTime sent_at, Frame& frame) noexcept;
    void note_range(std::size_t packets, WallTime first_leaves) noexcept;
    [[nodiscard]] SendOutcome attempt(std::span<Frame> frames, SendTools& tools) noexcept;
    /// Of the first `sent` packets; the call took `batch`, those of other flows among them.
    void keep_records(std::size_t sent, std::size_t batch, const SendStamps& stamps, SentQueue& queue) noexcept;
    [[nodiscard]] bool broke(const SendOutcome& outcome) noexcept;
    [[nodiscard]] std::size_t skip(const SendOutcome& outcome) noexcept;
    /// The first ones, which were sent or given up.
    void drop(std::size_t departures) noexcept;
    [[nodiscard]] Turn flush() noexcept;
    [[nodiscard]] Turn next_turn(bool blocked) noexcept;
    [[nodiscard]] bool awaits_last_departure() noexcept;
    Turn give_up() noexcept;
    /// Whether the worker had no time for the flow since before its end; then it has kOvertime from `now` on, once.
    [[nodiscard]] bool was_held_up(MonoTime now) noexcept;
    void end(FlowEnd how) noexcept;
    [[nodiscard]] std::string error(const std::string& why_condemned) const;

    // What the packet path needs of the spec, and no more: there may be a hundred thousand flows.
    FlowId id_;
    HeaderLevel header_;
    LatenessPolicy lateness_;
    bool shares_calls_;  ///< with flows of the same socket
    Nanos lasts_until_;  ///< after the start of the run; the largest: without a duration
    std::unique_ptr<Channel> channel_;
    std::uint32_t place_;
    SendTimes* times_ = nullptr;
    SentRange* range_ = nullptr;
    LookAhead ahead_;
    PayloadCursor payload_;  ///< of the first departure that has not left
    Nanos lead_;  ///< packets are handed to the kernel so long before their departures, at most; 0: it lets them go
    MonoTime last_leaves_{};  ///< of the packets that were handed over
    MonoTime start_{};
    MonoTime deadline_{};
    MonoTime gives_up_at_ = MonoTime::max();
    MonoTime last_turn_{};
    bool is_blocked_ = false;      ///< the last turn ended so
    std::uint8_t last_turns_ = 0;  ///< in which the kernel's queue was waited for

    std::uint64_t unsent_before_first_ = 0;  ///< departures that were not sent before the first packet that was
    SendCounts counts_;
    int errno_value_ = 0;        ///< why the channel broke
    bool just_refused_ = false;  ///< nothing was sent since the last report of a refusal
    bool closed_ = false;        ///< the channel was finished, with nothing left in it
    bool unflushed_ = false;     ///< bytes that counted as sent never left

    std::atomic<std::uint64_t> packets_{0};
    std::atomic<std::uint64_t> bytes_{0};
    std::atomic<bool> ended_{false};
    std::atomic<bool> condemned_{false};
};

}  // namespace groma
