// Turns records into the blocks of a log (docs/reference/log-format.md) and hands them to a sink. Holds less than a
// block of records a flow (128 KiB), and of a slow flow no more than come between two calls of flush().
// Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/log/log_sink.hpp"
#include "common/log/run_metadata.hpp"
#include "common/wire/log_block.hpp"
#include "common/wire/records.hpp"

namespace groma {

class LogWriter {
public:
    /// Writes the file header and the metadata. The sink outlives the writer.
    /// Throws (as all functions here): what the sink throws. The block that was being written is lost then and a reader
    /// will see that its number is missing; the writer can be used on, or left. RunError when the metadata or totals of
    /// too many flows do not fit a block.
    /// Blocks have `block_records` records at most: small blocks are handed over sooner, and cost more.
    LogWriter(LogSink& sink, const RunMetadata& metadata, std::size_t block_records = kMaxBlockRecords);
    ~LogWriter();

    /// Records of one flow, in the order in which they happened. Sent records have rising sequence numbers.
    void add(FlowId flow, std::span<const SentRecord> records);
    void add(FlowId flow, std::span<const ReceivedRecord> records);
    void add(FlowId flow, std::span<const RoundTripRecord> records);
    void add(FlowId flow, std::span<const TransmitRecord> records);
    void add(FlowId flow, std::span<const ConnectionSample> samples);
    void add(const ClockProbe& probe);
    void add(const LogEvent& event);

    /// Makes blocks of all records that are still held, so that a reader sees them: for live use, once a second or so.
    void flush();

    /// Writes the rest and the totals and closes the sink. Nothing may be added afterwards.
    void close(const LogTotals& totals);

    /// Records taken so far, all flows, and bytes handed to the sink.
    [[nodiscard]] std::uint64_t records() const;
    [[nodiscard]] std::uint64_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
