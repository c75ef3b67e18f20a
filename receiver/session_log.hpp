// A session's log while it is written: takes the records of the session's flows out of their queues and hands them to
// the log's sink. One thread calls run(), then close(); records that could not be kept are counted, never forgotten.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/log/log_writer.hpp"
#include "common/log/sample_queue.hpp"
#include "common/time/clock.hpp"
#include "receiver/flow_receiver.hpp"

namespace groma {

class SessionLog {
public:
    /// Writes the metadata. Throws: what the sink throws.
    SessionLog(std::unique_ptr<LogSink> sink, const RunMetadata& metadata, Clock& clock,
               std::size_t block_records = kMaxBlockRecords);

    /// A queue for one receiving thread. Requires: run() was not called yet.
    [[nodiscard]] ArrivalQueue& add_queue(std::size_t records);

    /// A sample of a connection. Thread: any.
    void add(FlowId flow, const ConnectionSample& sample) { samples_.push(flow, sample); }
    /// Those that found no room.
    [[nodiscard]] std::uint64_t samples_lost() const { return samples_.lost(); }

    /// Writes what comes until stop() is called and the queues are empty. Thread: the log's.
    void run() noexcept;

    /// Nothing will be put into the queues any more. Thread: any.
    void stop() noexcept { stopping_ = true; }

    /// Writes the events and the totals, closes the sink. Thread: the log's, after run().
    void close(const std::vector<LogEvent>& events, const LogTotals& totals) noexcept;

    /// Instead of close(): the log is not kept, where that can be had.
    void abandon() noexcept { sink_->abandon(); }

    /// Of `packets` that were counted of a flow, those that are not in the log: no room in the queue, or the sink had
    /// failed. Requires: run() has returned.
    [[nodiscard]] std::uint64_t records_lost(FlowId flow, std::uint64_t packets) const;

    /// The first error; empty: the log is whole but for records_lost(). Requires: run() has returned.
    [[nodiscard]] const std::string& error() const { return error_; }

private:
    /// Returns: whether there was anything.
    bool drain_once() noexcept;
    void write(std::span<const LoggedArrival> arrivals);
    /// Does what may throw unless an earlier error ended the log; keeps the first error. Returns: whether all went
    /// well.
    template <typename Action>
    bool guarded(Action&& action) noexcept;

    std::unique_ptr<LogSink> sink_;
    LogWriter writer_;
    Clock& clock_;
    std::vector<std::unique_ptr<ArrivalQueue>> queues_;
    std::vector<LoggedArrival> taken_;
    std::vector<ReceivedRecord> records_;  ///< of one flow in a row
    std::unordered_map<FlowId, std::uint64_t> written_;
    SampleQueue samples_;
    std::string error_;
    std::atomic<bool> stopping_{false};
};

}  // namespace groma
