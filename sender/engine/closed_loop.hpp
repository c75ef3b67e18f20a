// A flow whose packets wait for replies: it takes them in itself, since the next packet leaves when one comes.
#pragma once

#include <span>

#include "common/net/channel/inbox.hpp"
#include "sender/engine/flow_replies.hpp"
#include "sender/engine/request_window.hpp"

namespace groma {

/// Thread: its flow's.
class ClosedLoop {
public:
    /// `replies` outlive the loop, as does `queue`, which takes a record of each; null: nobody wants them.
    ClosedLoop(const FlowSpec& spec, FlowReplies& replies, ReplyQueue* queue)
        : replies_(replies), queue_(queue), window_(spec) {}

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

    /// More have come than one turn takes; the socket does not show those that were read from it.
    [[nodiscard]] bool has_more() const noexcept { return has_more_; }

    [[nodiscard]] RequestWindow& window() noexcept { return window_; }
    [[nodiscard]] const RequestWindow& window() const noexcept { return window_; }
    /// No response can come any more.
    [[nodiscard]] bool over() const noexcept { return replies_.inbox().state() != InboxState::open; }

private:
    FlowReplies& replies_;
    ReplyQueue* queue_;
    RequestWindow window_;
    bool has_more_ = false;
};

}  // namespace groma
