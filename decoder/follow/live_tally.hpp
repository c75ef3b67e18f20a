// What a log says while it is being written: a row for each interval, preliminary, for people who look on.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#include "common/log/log_reader.hpp"
#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/sequence/sequence_tracker.hpp"

namespace groma {

/// One interval of a log, of all its flows that are looked at.
struct LiveRow {
    Nanos begin{0};  ///< from the start of the run
    LogRole role{};
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    /// Of a sender: lateness. Of a receiver: delays less the smallest so far of the packet's flow.
    LogHistogram times_ns;
    LogHistogram delays_ns{};  ///< of a receiver: delays by the clocks of both hosts
    /// Of a receiver, when the row is shown: numbers up to the largest of each flow that have not come.
    std::uint64_t missing = 0;
};

/// Records of flows come in blocks, each a little later than what it tells: a row is shown when two blocks in a row
/// have records that are kSettling younger, so that one record with a time far ahead shows nothing too early, and when
/// the log ends. What comes for it still later is not in it. Thread: one at a time, but for complete().
class LiveTally : public LogVisitor {
public:
    static constexpr Nanos kSettling{2'000'000'000};
    /// So many intervals at once; what is farther ahead shows the oldest of them.
    static constexpr std::size_t kMostRows = 10'000;

    /// `flows`: empty for all of them.
    LiveTally(Nanos interval, std::set<FlowId> flows, std::function<void(const LiveRow&)> show);

    void on_metadata(const RunMetadata& metadata) override;
    void on_sent(FlowId flow, std::span<const SentRecord> records) override;
    void on_received(FlowId flow, std::span<const ReceivedRecord> records) override;
    void on_totals(const LogTotals& totals) override;

    /// Whether the log has its end.
    [[nodiscard]] bool complete() const noexcept { return complete_.load(std::memory_order_acquire); }
    /// Shows the rows that are left.
    void finish();

private:
    struct Flow {
        SequenceTracker numbers{};
        [[nodiscard]] std::uint64_t missing() const {
            return numbers.next_expected() - std::min(numbers.next_expected(), numbers.unique());
        }
        Nanos least_delay = Nanos::max();
    };

    /// As the analysis: flows and records that the log's metadata does not announce are in no figure.
    [[nodiscard]] bool wanted(FlowId flow, LogRole role) const { return role == role_ and own_flows_.contains(flow); }
    /// Null: it was shown already.
    [[nodiscard]] LiveRow* row(WallTime at);
    void end_block();
    void show_settled(Nanos now);
    void show_oldest();

    Nanos interval_;
    std::set<FlowId> flows_;
    std::function<void(const LiveRow&)> show_;
    std::set<FlowId> own_flows_;  ///< of the log, that are looked at
    LogRole role_{};
    WallTime start_{};
    Nanos newest_{0};         ///< of this block
    Nanos newest_before_{0};  ///< of the one before
    std::int64_t next_ = 0;   ///< rows before it were shown
    std::map<std::int64_t, LiveRow> rows_;
    std::int64_t latest_ = -1;  ///< the row asked for last: neighbours in time are neighbours here
    LiveRow* latest_row_ = nullptr;
    std::unordered_map<std::uint32_t, Flow> received_;
    std::uint64_t missing_ = 0;  ///< of all of them
    std::atomic<bool> complete_ = false;
};

}  // namespace groma
