// Takes records from the workers' queues, measures each flow's fidelity and writes the records to the log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/ids.hpp"
#include "common/log/log_writer.hpp"
#include "common/log/sample_queue.hpp"
#include "common/stats/fidelity/fidelity.hpp"
#include "sender/engine/queued_record.hpp"
#include "sender/engine/stamp_worker.hpp"

namespace groma {

/// Thread: the log thread; error(): any.
class LogDrain {
public:
    /// The flows by place. `log` may be null: records are metered only. It outlives the drain.
    LogDrain(const std::vector<FlowId>& flows, LogWriter* log);

    /// Compares a flow's gaps with the requested ones. Requires: called before the first drain().
    void compare(std::uint32_t place, AskedGaps asked) { flows_[place].meter = FidelityMeter(std::move(asked)); }

    /// Replaces the log. Requires: called before the first drain().
    void log_to(LogWriter* log) { log_ = log; }

    /// Takes at most `most` records from the queue. Returns: their number.
    std::size_t drain(SentQueue& queue, std::size_t most);
    std::size_t drain(ReplyQueue& queue, std::size_t most);

    /// The same for transmit stamps.
    std::size_t drain(TransmitQueue& queue);

    /// Takes samples of connections. Returns: whether there were any.
    bool drain(SampleQueue& samples);

    /// Makes all records so far visible to readers of the log.
    void flush();

    [[nodiscard]] Fidelity fidelity(std::uint32_t place, WallTime start) const {
        return flows_[place].meter.result(start);
    }
    /// Records that may be missing in the log: those since its last successful flush, if it failed; and those dropped
    /// for lack of memory.
    [[nodiscard]] std::uint64_t unlogged(std::uint32_t place) const {
        return flows_[place].unlogged + flows_[place].dropped;
    }
    /// The same for replies.
    [[nodiscard]] std::uint64_t unlogged_replies(std::uint32_t place) const {
        return flows_[place].unlogged_replies + flows_[place].dropped_replies;
    }

    /// The first error of the log; empty: none. After an error the log is not used again.
    [[nodiscard]] std::string error() const;

private:
    struct Flow {
        FlowId id;
        FidelityMeter meter;
        std::vector<TransmitRecord> transmits;
        std::vector<SentRecord> records;  ///< of the current piece
        std::vector<RoundTripRecord> replies;
        std::uint64_t unlogged = 0;  ///< not confirmed to be in the log
        std::uint64_t unlogged_replies = 0;
        std::uint64_t dropped = 0;  ///< for lack of memory
        std::uint64_t dropped_replies = 0;
    };

    /// Takes records in pieces of the size of `piece`, sorts each by flow with `sort`, and passes on each flow's
    /// records.
    template <typename Queued, typename Sort>
    std::size_t drain_in_pieces(RecordQueue<Queued>& queue, std::vector<Queued>& piece, std::size_t most,
                                const Sort& sort);
    void drop(Flow& flow, const SentRecord& record) noexcept;
    void drop(Flow& flow, const RoundTripRecord& record) noexcept;
    void hand_over(Flow& flow);
    template <typename Record>
    void hand_over(FlowId id, std::vector<Record>& records, std::uint64_t& unlogged);
    void note(const char* error) noexcept;
    template <typename Use>
    bool use_log(Use use);

    LogWriter* log_;
    std::vector<Flow> flows_;
    std::vector<QueuedRecord> piece_;
    std::vector<QueuedReply> replies_;
    std::vector<std::uint32_t> touched_;  ///< flows with records in the current piece
    bool log_failed_ = false;
    mutable std::mutex mutex_;
    std::string error_;  ///< guarded by mutex_
};

}  // namespace groma
