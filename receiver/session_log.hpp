// Moves the records of a session's flows from their queues to the log's sink. One thread calls run(), then close().
// Counts all lost records.
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
    /// Writes the metadata. Throws: as the sink.
    SessionLog(std::unique_ptr<LogSink> sink, const RunMetadata& metadata, Clock& clock,
               std::size_t block_records = kMaxBlockRecords);

    /// Adds a queue for one receiving thread. Requires: run() was not called yet.
    [[nodiscard]] ArrivalQueue& add_queue(std::size_t records);

    /// Adds a sample of a connection. Thread: any.
    void add(FlowId flow, const ConnectionSample& sample) { samples_.push(flow, sample); }
    /// Samples dropped because the queue was full.
    [[nodiscard]] std::uint64_t samples_lost() const { return samples_.lost(); }

    /// Writes records until stop() is called and the queues are empty. Thread: the log's.
    void run() noexcept;

    /// Call after the last push to the queues. Thread: any.
    void stop() noexcept { stopping_ = true; }

    /// Writes the events and the totals, closes the sink. Thread: the log's, after run().
    void close(const std::vector<LogEvent>& events, const LogTotals& totals) noexcept;

    /// Instead of close(): discards the log, if the sink can.
    void abandon() noexcept { sink_->abandon(); }

    /// How many of a flow's `packets` are missing in the log: the queue was full, or the sink failed. Requires: run()
    /// has returned.
    [[nodiscard]] std::uint64_t records_lost(FlowId flow, std::uint64_t packets) const;

    /// That were passed to the sink. Requires: as records_lost().
    [[nodiscard]] std::uint64_t bytes() const { return writer_.bytes(); }

    /// The first error; empty: none (the log is complete except for records_lost()). Requires: run() has returned.
    [[nodiscard]] const std::string& error() const { return error_; }

private:
    /// Returns: whether there were records.
    bool drain_once() noexcept;
    void write(std::span<const LoggedArrival> arrivals);
    /// Runs the action unless the log has failed; keeps the first error. Returns: success.
    template <typename Action>
    bool guarded(Action&& action) noexcept;

    std::unique_ptr<LogSink> sink_;
    LogWriter writer_;
    Clock& clock_;
    std::vector<std::unique_ptr<ArrivalQueue>> queues_;
    std::vector<LoggedArrival> taken_;
    std::vector<ReceivedRecord> records_;  ///< consecutive records of one flow
    std::unordered_map<FlowId, std::uint64_t> written_;
    SampleQueue samples_;
    std::string error_;
    std::atomic<bool> stopping_{false};
};

}  // namespace groma
