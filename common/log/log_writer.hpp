// Packs records into the blocks of a log (docs/reference/log-format.md) and passes them to a sink. Holds less than a
// block of records per flow (128 KiB), and of a slow flow only those since the last flush(). Thread: one at a time.
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
    /// Writes the file header and the metadata. The sink outlives the writer. Throws (as all functions here): what the
    /// sink throws; then the current block is lost, readers see that its number is missing, and the writer can still be
    /// used. RunError if the metadata or totals of too many flows do not fit a block. Blocks have at most
    /// `block_records` records: small blocks reach the sink sooner, and cost more.
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

    /// Writes all records that are still held as blocks, so that readers see them: for live use, about once a second.
    void flush();

    /// Writes the rest and the totals and closes the sink. Nothing may be added afterwards.
    void close(const LogTotals& totals);

    /// Records of all flows, and bytes passed to the sink, so far.
    [[nodiscard]] std::uint64_t records() const;
    [[nodiscard]] std::uint64_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
