// The receiving packet path of one flow: inbox, counts, a record of each packet for the log, and with the round-trip
// meter a reply to each. Flows that share an association (SCTP) or a socket (UDP) share the inbox of the first one,
// which passes on the others' packets.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/base/record_queue.hpp"
#include "common/control/messages.hpp"
#include "common/model/flow/draws.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/os/poller.hpp"
#include "common/stats/sequence/sequence_tracker.hpp"
#include "common/wire/packet_header.hpp"
#include "common/wire/records.hpp"
#include "receiver/delay_meter.hpp"
#include "receiver/live_delays.hpp"

namespace groma {

/// A record on its way to the log.
struct LoggedArrival {
    FlowId flow;
    ReceivedRecord record;
};
using ArrivalQueue = RecordQueue<LoggedArrival>;

/// Counts so far; they may be inconsistent with each other while packets arrive.
struct FlowCounts {
    std::uint64_t packets = 0;  ///< including copies
    std::uint64_t bytes = 0;
    std::uint64_t unique = 0;   ///< without duplicates
    std::uint64_t missing = 0;  ///< sequence numbers below the highest that have not arrived
    bool open = true;           ///< more may come
    bool replying = false;      ///< replies wait for a writable socket
};

class FlowReceiver {
public:
    FlowReceiver(const FlowSpec& spec, std::unique_ptr<Inbox> inbox);
    /// A flow without its own inbox: it takes the next streams of the first flow's association, or the packets with its
    /// number at the first flow's socket. The first flow and its worker outlive it; this flow is added to no worker.
    /// Requires: no worker has the first flow.
    FlowReceiver(const FlowSpec& spec, FlowReceiver& first);

    /// Also passes every packet to `queue`, which outlives the flow's time with a worker. Packets that find it full are
    /// missing in the log and counted (SessionLog::records_lost).
    /// Requires: no worker has the flow.
    void log_to(ArrivalQueue& queue);

    /// Keeps no delays from now on: of very many flows they take too much memory. Requires: no worker has the flow.
    void skip_delays() noexcept { skips_delays_ = true; }

    /// From now on also counts delays for delays_since_last(). Requires: no worker has the flow.
    void watch_delays() { live_delays_ = std::make_unique<LiveDelays>(); }

    /// As LiveDelays::since_last(); empty: they are not watched. Thread: one.
    [[nodiscard]] std::vector<CountedDelay> delays_since_last() {
        return live_delays_ == nullptr ? std::vector<CountedDelay>() : live_delays_->since_last();
    }

    /// Takes at most scratch.size() packets from the inbox, and replies if requested. Returns: their number. Packet
    /// path. Thread: the worker's.
    std::size_t receive(std::span<Arrival> scratch) noexcept;

    /// Thread: any.
    [[nodiscard]] FlowCounts counts() const noexcept;

    /// The counts without `records_lost`, which the log counts. Requires: no worker has the flow.
    [[nodiscard]] ReceivedFlow result() const;

    /// On the receiver's clock; null: as ReceivedFlow::delays. Requires: as result().
    [[nodiscard]] const DelayMeter* delays() const noexcept;

    /// The events for the worker to wait for; empty: the flow is over.
    [[nodiscard]] std::optional<Interest> interest() const noexcept;
    /// For the worker: the events that it waits for.
    [[nodiscard]] Interest watched() const noexcept { return watched_; }
    void set_watched(Interest interest) noexcept { watched_ = interest; }

    /// For the worker: whether the flow is queued because it had more packets than one turn takes.
    [[nodiscard]] bool in_line() const noexcept { return in_line_; }
    void set_in_line(bool in_line) noexcept { in_line_ = in_line; }

    [[nodiscard]] FlowId id() const { return id_; }
    /// Whether its packets are to have sequence numbers: without them nothing is known to be missing.
    [[nodiscard]] bool numbered() const noexcept { return numbered_; }
    /// Whether all copies are known: a packet without its number may be one. Requires: as result().
    [[nodiscard]] bool tells_copies() const noexcept;
    [[nodiscard]] const Inbox& inbox() const { return first_ == nullptr ? *inbox_ : *first_->inbox_; }
    [[nodiscard]] bool shares_an_inbox() const noexcept { return first_ != nullptr; }

private:
    void share_with(FlowReceiver& flow, const TransportOptions& options);
    void guard(const FlowSpec& spec) noexcept;
    void take(const Arrival& arrival) noexcept;
    void take_delay(WallTime sent_at, WallTime received_at);
    void hand_out(const Arrival& arrival) noexcept;
    /// Null: none.
    [[nodiscard]] FlowReceiver* owner_of(const Arrival& arrival) const noexcept;
    /// Gives each the size of its reply, if the flow has one of its own, and sends the replies.
    void reflect(std::span<Arrival> arrivals) noexcept;
    void publish() noexcept;
    [[nodiscard]] std::string state_in_words() const;
    [[nodiscard]] std::optional<Coalescing> coalescing() const;

    FlowId id_;
    Transport transport_;
    Meter meter_;
    bool numbered_;
    std::optional<SizeProcess> responses_;  ///< nothing: replies are as large as their packets
    DrawCounts response_draws_;
    std::unique_ptr<Inbox> inbox_;   ///< null: the first flow's
    FlowReceiver* first_ = nullptr;  ///< the first flow that shares the inbox; null: this one
    /// In the first flow: the owner of each stream, or over UDP all flows by number; empty: not shared.
    std::vector<FlowReceiver*> sharing_;
    std::uint64_t astray_ = 0;  ///< packets on this flow's streams that belong to another or to no flow
    ArrivalQueue* queue_ = nullptr;
    Interest watched_ = Interest::read;
    bool in_line_ = false;
    SequenceUnwrapper unwrapper_;
    SequenceTracker tracker_;
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    WallTime first_arrival_{};  ///< the earliest and the latest
    WallTime last_arrival_{};
    bool skips_delays_ = false;
    std::unique_ptr<DelayMeter> delays_;       ///< null: no packet carried the time of its departure
    std::unique_ptr<LiveDelays> live_delays_;  ///< null: nobody watches
    std::uint64_t unnumbered_ = 0;             ///< packets without a sequence number
    std::uint64_t replies_ = 0;                ///< replies sent; each packet should get one

    // Written by the worker after each batch, read by others at any time.
    std::atomic<std::uint64_t> seen_packets_{0};
    std::atomic<std::uint64_t> seen_bytes_{0};
    std::atomic<std::uint64_t> seen_unique_{0};
    std::atomic<std::uint64_t> seen_missing_{0};
    std::atomic<bool> seen_open_{true};
    std::atomic<bool> seen_replying_{false};
};

}  // namespace groma
