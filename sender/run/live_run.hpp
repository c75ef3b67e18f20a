// What a run has sent so far, for those that ask from other threads while it goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "sender/engine/engine_flow.hpp"

namespace groma {

/// Of all flows of one run, or of several.
struct SentSoFar {
    std::size_t open_flows = 0;  ///< that are being sent now
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;     ///< of payload
    std::uint64_t returned = 0;  ///< replies, with the round-trip meter

    SentSoFar& operator+=(const SentSoFar& more);
    bool operator==(const SentSoFar&) const = default;
};

/// Of all these flows.
[[nodiscard]] SentSoFar sum_of(const std::vector<FlowProgress>& flows);

/// Thread: any.
class LiveRun {
public:
    /// While it lives, so_far() asks `progress`, which any thread may call; then it keeps the last answer.
    class Following {
    public:
        /// `run`: null: nobody asks. It outlives this.
        Following(LiveRun* run, std::function<std::vector<FlowProgress>()> progress);
        Following(const Following&) = delete;
        Following& operator=(const Following&) = delete;
        ~Following();

    private:
        LiveRun* run_;
    };

    [[nodiscard]] SentSoFar so_far() const;

private:
    mutable std::mutex mutex_;
    std::function<std::vector<FlowProgress>()> progress_;  ///< null: the run has not begun, or is over
    SentSoFar last_;
};

}  // namespace groma
