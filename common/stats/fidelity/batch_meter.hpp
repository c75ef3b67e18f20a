// How many packets left in a send call of their own, and how many shared one, from the sender's records.
#pragma once

#include <cstdint>
#include <span>

#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

/// Thread: one at a time; allocates occasionally, so not a sending one.
class BatchMeter {
public:
    /// Packets in order of departure: for each the number of packets of its send call (SentRecord::batch) and when it
    /// was sent, in nanoseconds. Requires: not empty; as many of both.
    void add(std::span<const std::uint64_t> batches, std::span<const std::int64_t> sent_at);

    [[nodiscard]] std::uint64_t alone() const { return alone_; }
    [[nodiscard]] std::uint64_t batched() const { return batched_; }
    [[nodiscard]] std::uint32_t largest() const { return largest_; }
    /// Packets in each send call.
    [[nodiscard]] const LogHistogram& sizes() const { return sizes_; }

private:
    void count_calls(std::uint64_t size, std::uint64_t calls);

    std::uint64_t alone_ = 0;
    std::uint64_t batched_ = 0;
    std::uint32_t largest_ = 0;
    LogHistogram sizes_;
    std::uint32_t rest_ = 0;  ///< packets of the last send call still to come
    std::uint64_t before_ = 0;
    std::int64_t before_at_ = 0;
};

}  // namespace groma
