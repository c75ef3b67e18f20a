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
#include "common/time/time_span.hpp"
#include "sender/engine/closed_loop.hpp"
#include "sender/engine/engine_flow.hpp"
#include "sender/engine/flow_parts.hpp"
#include "sender/engine/late_rtts.hpp"
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
    std::vector<Frame> frames;       ///< as many as the largest batch
    std::vector<Arrival> replies{};  ///< room for those of a closed loop
};

/// Thread: made and asked for its outcome by the engine's owner while no worker runs; begin() to interrupt() by its
/// worker; progress(), ended() and request_failure() by anyone.
class FlowSender {
public:
    /// A batch ends with the packet that would exceed this, so that large frames of one flow do not make others wait.
    static constexpr std::size_t kLargestBatchBytes = 256 * 1024;
    /// Of a flow that goes as fast as possible: others wait for it all the time.
    static constexpr std::size_t kLargestGreedyBatchBytes = 128 * 1024;
    /// Of such a flow, what may wait in the kernel: it has to drain when the flow ends, and a worker must be in time to
    /// fill it again. So as much as it sends in kUnsentTime, within these bounds.
    static constexpr std::size_t kLeastUnsent = 256 * 1024;
    static constexpr std::size_t kMostUnsent = 4 * 1024 * 1024;
    static constexpr Nanos kUnsentTime{10'000'000};
    /// Between two looks at how fast it is.
    static constexpr Nanos kBetweenFits{100'000'000};
    /// How long such a flow waits when a queue of this host is full (ENOBUFS): nothing tells when it has room again.
    static constexpr Nanos kPause{500'000};
    /// How a turn ended.
    enum class Turn : std::uint8_t {
        ready,    ///< the next one is wanted at next_deadline()
        blocked,  ///< the socket is full: the next one is wanted when it can be written to
        waiting,  ///< for a response: the next one is wanted when one has come, or at wanted_at()
        ended,
    };

    /// Requires: flow.payload. `place` is the flow's place in the engine's list; `largest_batch` is at most the
    /// worker's: memory is kept for so many departures.
    FlowSender(FlowToSend flow, std::uint32_t place, std::size_t largest_batch);

    /// From now on the time of each packet is kept there as well, before it leaves. Requires: no worker has the flow.
    void keep_times_in(SendTimes& times) { times_ = &times; }
    /// And which packets are sent, likewise.
    void note_sent_in(SentRange& range) { range_ = &range; }

    /// Its packets wait for these replies from now on, which outlive the flow's time with a worker, likewise.
    void close_loop(const FlowSpec& spec, FlowReplies& replies, ReplyQueue* queue) {
        loop_ = std::make_unique<ClosedLoop>(spec, replies, queue);
    }

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
    [[nodiscard]] bool may_be_early() const noexcept { return lead_.any(); }
    /// Requires: the last turn ended `ready`.
    [[nodiscard]] MonoTime next_deadline() const noexcept { return deadline_; }
    /// When it wants a turn even if its socket is full, or no response has come: what is left is given up, nothing
    /// departs any more, or the next request may leave. May lie beyond all times.
    [[nodiscard]] MonoTime wanted_at() const noexcept {
        const MonoTime gives_up_at = std::min(overtime_.gives_up_at(), closes_at_);
        return loop_ ? std::min(gives_up_at, loop_->window().next()) : gives_up_at;
    }
    /// Whether its packets wait for replies, which come in on its socket.
    [[nodiscard]] bool waits_for_replies() const noexcept { return loop_ != nullptr; }
    /// Goes as fast as possible: always due, and never late.
    [[nodiscard]] bool greedy() const noexcept { return greedy_; }

    /// Ends a flow that has not ended yet; one that has only held bytes left to send is complete.
    void interrupt() noexcept { end(ahead_.peek(0) == nullptr ? FlowEnd::complete : FlowEnd::interrupted); }
    /// Ends it as failed, for the reason that outcome() is given.
    void fail() noexcept { end(FlowEnd::failed); }

    [[nodiscard]] bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
    [[nodiscard]] FlowProgress progress() const noexcept;

    /// Asks for the flow's end; its worker sees to it.
    void request_failure() noexcept { failure_requested_.store(true, std::memory_order_release); }
    [[nodiscard]] bool failure_requested() const noexcept { return failure_requested_.load(std::memory_order_acquire); }

    /// Takes responses that have come since, after the worker has left it.
    void take_last_replies(std::span<Arrival> scratch) noexcept {
        if (loop_) {
            loop_->take(start_, scratch);
        }
    }
    /// Adds what the flow itself knows of its round trips. Requires: as outcome().
    void add_to(RoundTrip& result) const {
        if (loop_) {
            loop_->add_to(result);
        }
    }
    /// Closes the channel after the worker has left it, waiting at most `limit` for what it holds.
    void close(Nanos limit) noexcept;
    /// All but the fidelity; `why_failed` is the error of a flow that was failed from outside.
    [[nodiscard]] FlowOutcome outcome(const std::string& why_failed) const;

    [[nodiscard]] FlowId id() const noexcept { return id_; }
    [[nodiscard]] std::uint32_t place() const noexcept { return place_; }
    [[nodiscard]] int fd() const noexcept { return channel_->fd(); }
    /// As Channel::take_transmit_stamps(). Thread: one at a time, beside the worker.
    [[nodiscard]] std::size_t take_transmit_stamps(std::span<TransmitStamp> out) noexcept {
        return channel_->take_transmit_stamps(out);
    }
    /// From the first packet sent to the last, since the start, on the monotonic clock: when they were due and left.
    /// Requires: the flow has ended.
    [[nodiscard]] const TimeSpan& scheduled() const noexcept { return scheduled_; }
    [[nodiscard]] const TimeSpan& sent() const noexcept { return sent_; }
    /// Thread: any.
    [[nodiscard]] std::optional<ConnectionSample> sample() const noexcept { return channel_->sample(); }
    /// The same, and its round-trip time becomes part of the outcome while packets are sent. Thread: that of outcome().
    [[nodiscard]] std::optional<ConnectionSample> sample_while_sending(MonoTime now);

private:
    /// When it is to leave: as scheduled, and later by what the flow was shifted.
    [[nodiscard]] MonoTime due_at(const Departure& departure) const noexcept {
        return start_ + counts_.shifted + departure.offset;
    }
    /// When it leaves if it is sent at `now`.
    [[nodiscard]] MonoTime leaves_at(const Departure& departure, MonoTime now) const noexcept {
        return lead_.leaves_at(due_at(departure), now);
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
    [[nodiscard]] Turn fail_with(int errno_value) noexcept;
    /// Leaves out the packet that the kernel did not take. Returns: how many that are, 0 or 1.
    std::size_t skip(const SendOutcome& outcome) noexcept;
    /// The first ones, which were sent or given up.
    void drop(std::size_t departures) noexcept;
    [[nodiscard]] Turn flush() noexcept;
    [[nodiscard]] Turn next_turn(bool blocked) noexcept;
    /// Whether a packet that was refused is to be tried again, after a pause.
    [[nodiscard]] bool is_to_pause(const SendOutcome& outcome) const noexcept;
    [[nodiscard]] Turn pause(MonoTime now) noexcept;
    /// Has as much wait in the kernel as suits the flow's rate.
    void fit_unsent(MonoTime now) noexcept;
    Turn give_up() noexcept;
    void end(FlowEnd how) noexcept;
    void finish_channel(Nanos limit) noexcept;
    [[nodiscard]] std::string error(const std::string& why_failed) const;
    /// No packet was sent, because the path takes none of such a size.
    [[nodiscard]] bool fits_nowhere() const noexcept {
        return counts_.too_big > 0 and packets_.load(std::memory_order_relaxed) == 0;
    }
    /// Of packets that are larger than the path's MTU; empty: there are none.
    [[nodiscard]] std::string size_warning() const;

    // What the packet path needs of the spec, and no more: there may be a hundred thousand flows.
    FlowId id_;
    Transport transport_;
    PacketFormat format_;
    LatenessPolicy lateness_;
    bool greedy_;
    bool shares_calls_;   ///< with flows of the same socket
    bool may_be_cut_up_;  ///< its packets, where they are larger than the path's MTU
    Nanos lasts_until_;   ///< after the start of the run; the largest: without a duration
    std::unique_ptr<Channel> channel_;
    std::uint32_t place_;
    SendTimes* times_ = nullptr;
    SentRange* range_ = nullptr;
    std::unique_ptr<ClosedLoop> loop_;  ///< null: packets do not wait for replies
    LookAhead ahead_;
    PayloadCursor payload_;  ///< of the first departure that has not left
    DepartureLead lead_;
    Overtime overtime_;
    Refusals refusals_;
    MonoTime start_{};
    MonoTime deadline_{};
    std::size_t unsent_limit_ = kLeastUnsent;  ///< of a greedy flow
    MonoTime fitted_at_{};
    std::uint64_t fitted_bytes_ = 0;        ///< that were sent then
    MonoTime closes_at_ = MonoTime::max();  ///< a greedy flow with a duration: nothing departs from then on

    TimeSpan scheduled_;
    TimeSpan sent_;
    std::uint64_t unsent_before_first_ = 0;  ///< departures that were not sent before the first packet that was
    SendCounts counts_;
    LateRtts late_rtts_;
    std::uint32_t largest_sent_ = 0;  ///< bytes
    int errno_value_ = 0;             ///< why the channel broke
    bool closed_ = false;             ///< the channel was finished, with nothing left in it
    bool unflushed_ = false;          ///< bytes that counted as sent never left

    std::atomic<std::uint64_t> packets_{0};
    std::atomic<std::uint64_t> bytes_{0};
    std::atomic<bool> ended_{false};
    std::atomic<bool> failure_requested_{false};
};

}  // namespace groma
