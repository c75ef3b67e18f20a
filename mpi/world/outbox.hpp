// A queue of messages from the threads of a rank's roles to the thread that sends to other ranks.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "mpi/world/rank_message.hpp"

namespace groma {

/// Thread: any.
class Outbox {
public:
    void push(RankMessage message) {
        const std::lock_guard lock(mutex_);
        messages_.push_back(std::move(message));
    }

    [[nodiscard]] std::optional<RankMessage> pop() {
        const std::lock_guard lock(mutex_);
        if (messages_.empty()) {
            return std::nullopt;
        }
        RankMessage first = std::move(messages_.front());
        messages_.pop_front();
        return first;
    }

private:
    std::mutex mutex_;
    std::deque<RankMessage> messages_;
};

}  // namespace groma
