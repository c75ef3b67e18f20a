// What an engine has for its flows with the round-trip meter: their replies, a worker that takes in those for which no
// flow waits, and the times of packets that are too small to bring theirs back.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sender/engine/engine_flow.hpp"
#include "sender/engine/reply_worker.hpp"
#include "sender/engine/send_times.hpp"

namespace groma {

class RoundTripFlows {
public:
    /// Opens the replies of all those among the flows that have the meter; the flows' channels and the clock outlive
    /// this. Records are kept for a log if `logged`, `queue_records` of them. Throws: RunError when a transport has no
    /// replies; SystemError.
    RoundTripFlows(const std::vector<FlowToSend>& flows, std::size_t queue_records, bool logged, Clock& clock);

    /// Whether the worker has any to take.
    [[nodiscard]] bool any() const noexcept { return worker_ != nullptr; }
    /// Null: the flow has no such meter.
    [[nodiscard]] FlowReplies* replies(std::uint32_t place) const { return replies_[place].get(); }

    /// Where the flow's times are to be kept; null: nowhere.
    [[nodiscard]] SendTimes* times(std::uint32_t place) const { return times_[place].get(); }
    /// Where it is to be noted what was sent; null: nowhere.
    [[nodiscard]] SentRange* sent(std::uint32_t place) const { return sent_[place].get(); }
    /// Flows that wait for their replies take them in threads of their own: each of these shares has one, and so a
    /// queue of its own.
    void split_queues(const std::vector<std::vector<std::uint32_t>>& shares);
    /// Of the records of the flow's replies; null: nobody wants them. After split_queues().
    [[nodiscard]] ReplyQueue* queue(std::uint32_t place) const { return queue_of_[place]; }
    /// All of them.
    [[nodiscard]] std::vector<ReplyQueue*> queues() const;
    /// Requires: any().
    [[nodiscard]] ReplyWorker& worker() noexcept { return *worker_; }

private:
    [[nodiscard]] ReplyQueue* new_queue();

    std::vector<std::unique_ptr<SendTimes>> times_;  ///< by place
    std::vector<std::unique_ptr<SentRange>> sent_;   ///< likewise
    std::vector<std::unique_ptr<FlowReplies>> replies_;
    std::size_t queue_records_;  ///< 0: no queues
    std::vector<std::unique_ptr<ReplyQueue>> queues_;
    std::vector<ReplyQueue*> queue_of_;
    std::vector<bool> waits_;              ///< for its replies
    std::unique_ptr<ReplyWorker> worker_;  ///< last: it uses the others
};

}  // namespace groma
