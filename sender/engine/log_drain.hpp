// Takes the records from the workers' queues, keeps each flow's fidelity and hands the records to the log.
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

/// Thread: the log thread, but for error(), which anyone may ask.
class LogDrain {
public:
    /// The flows by place. `log` may be null: records are metered only. It outlives the drain.
    LogDrain(const std::vector<FlowId>& flows, LogWriter* log);

    /// Meters a flow's gaps by what was asked for; null: there is no model of that. Requires: nothing was drained yet.
    void compare(std::uint32_t place, std::shared_ptr<const GapModel> asked) {
        flows_[place].meter = FidelityMeter(std::move(asked));
    }

    /// Where records go, instead of the log that was given before. Requires: nothing was drained yet.
    void log_to(LogWriter* log) { log_ = log; }

    /// Takes what is in the queue, at most `most` records. Returns: how many.
    std::size_t drain(SentQueue& queue, std::size_t most);
    std::size_t drain(ReplyQueue& queue, std::size_t most);

    /// As above, of times at which packets left.
    std::size_t drain(TransmitQueue& queue);

    /// Takes what was seen of connections. Returns: whether there was anything.
    bool drain(SampleQueue& samples);

    /// Makes the records so far visible to readers of the log.
    void flush();

    [[nodiscard]] Fidelity fidelity(std::uint32_t place) const { return flows_[place].meter.result(); }
    /// Records that came here and are not known to be in the log because it failed: those since its last flush that
    /// went well; and those for which there was no memory.
    [[nodiscard]] std::uint64_t unlogged(std::uint32_t place) const {
        return flows_[place].unlogged + flows_[place].dropped;
    }
    /// The same of replies.
    [[nodiscard]] std::uint64_t unlogged_replies(std::uint32_t place) const {
        return flows_[place].unlogged_replies + flows_[place].dropped_replies;
    }

    /// The first error of the log; empty when all is well. After an error the log is not used again.
    [[nodiscard]] std::string error() const;

private:
    struct Flow {
        FlowId id;
        FidelityMeter meter;
        std::vector<TransmitRecord> transmits;
        std::vector<SentRecord> records;  ///< of the piece at hand
        std::vector<RoundTripRecord> replies;
        std::uint64_t unlogged = 0;  ///< not known to be where they belong
        std::uint64_t unlogged_replies = 0;
        std::uint64_t dropped = 0;  ///< for want of memory
        std::uint64_t dropped_replies = 0;
    };

    /// Takes pieces of at most what `piece` holds, sorts each by flow with `sort`, and hands the flows' records over.
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
    std::vector<std::uint32_t> touched_;  ///< flows that have records in the piece at hand
    bool log_failed_ = false;
    mutable std::mutex mutex_;
    std::string error_;  ///< guarded by mutex_
};

}  // namespace groma
