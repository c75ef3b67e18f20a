// A flow whose packets wait for replies: it takes them in itself, since the next packet leaves when one comes.
#pragma once

#include <span>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/stats/histograms/log_histogram.hpp"
#include "sender/engine/flow_replies.hpp"
#include "sender/engine/request_window.hpp"

namespace groma {

/// Thread: its flow's.
class ClosedLoop {
public:
    /// `replies` outlive the loop, as does `queue`, which takes a record of each; null: nobody wants them.
    ClosedLoop(const FlowSpec& spec, FlowReplies& replies, ReplyQueue* queue)
        : replies_(replies), queue_(queue), window_(spec) {
        if (spec.requests_per_connection) {
            connect_ns_.reserve(kRoomForConnecting.count());
        }
    }

    /// The most that is taken in one turn, whatever a peer sends: so many times what there is room for.
    static constexpr int kBatchesInTurn = 8;

    /// Takes responses that have come. Packet path.
    void take(MonoTime now, std::span<Arrival> scratch) noexcept {
        const auto note = [this, now](const RoundTripRecord& record) { window_.answered(record.seq, now); };
        has_more_ = true;
        for (int batch = 0; batch < kBatchesInTurn and has_more_; ++batch) {
            has_more_ = replies_.take_some(scratch, queue_, note) == scratch.size();
        }
        window_.advance(now);
    }

    /// What became of connections since: at most one was made. Packet path.
    void note(const ConnectionCounts& all, MonoTime now) noexcept {
        if (all.made > connections_.made) {
            connect_ns_.add(all.last_took.count());
        }
        if (all.failed > connections_.failed) {
            window_.cut(now);
        }
        connections_ = all;
    }

    /// Adds what the loop knows of its round trips.
    void add_to(RoundTrip& result) const {
        result.timed_out += window_.timed_out();
        result.connections += connections_.made;
        result.connections_failed += connections_.failed;
        result.connect_ns.merge(connect_ns_);
    }

    /// More have come than one turn takes; the socket does not show those that were read from it.
    [[nodiscard]] bool has_more() const noexcept { return has_more_; }

    [[nodiscard]] RequestWindow& window() noexcept { return window_; }
    [[nodiscard]] const RequestWindow& window() const noexcept { return window_; }
    /// No response can come any more.
    [[nodiscard]] bool over() const noexcept { return replies_.inbox().state() != InboxState::open; }

private:
    /// Connecting that takes longer makes the histogram grow.
    static constexpr Nanos kRoomForConnecting = std::chrono::minutes(2);

    FlowReplies& replies_;
    ReplyQueue* queue_;
    RequestWindow window_;
    ConnectionCounts connections_;
    LogHistogram connect_ns_;
    bool has_more_ = false;
};

}  // namespace groma
