// One flow's packet path on the receiving side: its inbox, its counts, a record of each packet for the log, and with
// the round-trip meter a reply to each. Flows that share an association (SCTP) or a socket (UDP) have one inbox: that
// of the first of them, which hands the others what is theirs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/base/record_queue.hpp"
#include "common/control/messages.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/os/poller.hpp"
#include "common/stats/sequence/sequence_tracker.hpp"
#include "common/wire/packet_header.hpp"
#include "common/wire/records.hpp"

namespace groma {

/// A record on its way to the log.
struct LoggedArrival {
    FlowId flow;
    ReceivedRecord record;
};
using ArrivalQueue = RecordQueue<LoggedArrival>;

/// What came in so far; the numbers need not fit together while packets arrive.
struct FlowCounts {
    std::uint64_t packets = 0;  ///< every copy
    std::uint64_t bytes = 0;
    std::uint64_t unique = 0;   ///< without duplicates
    std::uint64_t missing = 0;  ///< sequence numbers below the highest that have not arrived
    bool open = true;           ///< more may come
    bool replying = false;      ///< replies wait for room in the socket
};

class FlowReceiver {
public:
    FlowReceiver(const FlowSpec& spec, std::unique_ptr<Inbox> inbox);
    /// A flow that has no inbox of its own: what comes on the next streams of the first one's association is its, or
    /// the packets at the first one's socket that say so. The first one outlives it with its worker; this one is given
    /// to none. Requires: no worker has the first one.
    FlowReceiver(const FlowSpec& spec, FlowReceiver& first);

    /// From now on every packet goes to `queue` as well, which outlives the flow's time with a worker. What finds no
    /// room there is missing in the log, where it is counted (SessionLog::records_lost).
    /// Requires: no worker has the flow.
    void log_to(ArrivalQueue& queue);

    /// Takes at most scratch.size() packets from the inbox, and sends them back if they are to be; returns how many.
    /// Packet path. Thread: the worker's.
    std::size_t receive(std::span<Arrival> scratch) noexcept;

    /// Thread: any.
    [[nodiscard]] FlowCounts counts() const noexcept;

    /// What was counted; `records_lost` is the log's to say. Requires: no worker has the flow (any more).
    [[nodiscard]] ReceivedFlow result() const;

    /// What the worker is to wait for; nothing: the flow is over.
    [[nodiscard]] std::optional<Interest> interest() const noexcept;
    /// The worker's own mark: what it waits for.
    [[nodiscard]] Interest watched() const noexcept { return watched_; }
    void set_watched(Interest interest) noexcept { watched_ = interest; }

    /// The worker's own mark: the flow stands in line because it had more than one turn takes.
    [[nodiscard]] bool in_line() const noexcept { return in_line_; }
    void set_in_line(bool in_line) noexcept { in_line_ = in_line; }

    [[nodiscard]] FlowId id() const { return id_; }
    [[nodiscard]] const Inbox& inbox() const { return first_ == nullptr ? *inbox_ : *first_->inbox_; }
    [[nodiscard]] bool shares_an_inbox() const noexcept { return first_ != nullptr; }

private:
    void share_with(FlowReceiver& flow, const TransportOptions& options);
    void take(const Arrival& arrival) noexcept;
    void hand_out(const Arrival& arrival) noexcept;
    /// Null: nobody.
    [[nodiscard]] FlowReceiver* owner_of(const Arrival& arrival) const noexcept;
    void reflect(std::span<const Arrival> arrivals) noexcept;
    void publish() noexcept;
    [[nodiscard]] std::string state_in_words() const;
    [[nodiscard]] std::optional<Coalescing> coalescing() const;

    FlowId id_;
    Transport transport_;
    Meter meter_;
    std::unique_ptr<Inbox> inbox_;   ///< null: the first one's
    FlowReceiver* first_ = nullptr;  ///< of the flows that share an inbox; null: this is it
    /// Of the first one: whose packets come on each stream, or over UDP all flows by their numbers; empty: all packets
    /// are its own.
    std::vector<FlowReceiver*> sharing_;
    std::uint64_t astray_ = 0;  ///< packets of another flow on this one's streams, or of nobody's
    ArrivalQueue* queue_ = nullptr;
    Interest watched_ = Interest::read;
    bool in_line_ = false;
    SequenceUnwrapper unwrapper_;
    SequenceTracker tracker_;
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t unnumbered_ = 0;  ///< packets too small for a sequence number, or of a flow without
    std::uint64_t replies_ = 0;     ///< that have gone; each packet was to have one

    // Written by the worker after each batch, read by others at any time.
    std::atomic<std::uint64_t> seen_packets_{0};
    std::atomic<std::uint64_t> seen_bytes_{0};
    std::atomic<std::uint64_t> seen_unique_{0};
    std::atomic<std::uint64_t> seen_missing_{0};
    std::atomic<bool> seen_open_{true};
    std::atomic<bool> seen_replying_{false};
};

}  // namespace groma
