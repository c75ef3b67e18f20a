// Reads a log of either side with memory for one block. Skips and reports damage; a torn tail ends the log; neither is
// an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "common/log/run_metadata.hpp"
#include "common/wire/column_view.hpp"
#include "common/wire/records.hpp"

namespace groma {

/// Bytes of a log that could not be read.
struct LogGap {
    std::uint64_t offset = 0;  ///< in the file
    std::uint64_t bytes = 0;
    std::string reason;      ///< "checksum of a packet block does not match", "torn tail", ...
    bool torn_tail = false;  ///< the log ends here, as after a crash
    bool operator==(const LogGap&) const = default;
};

/// Called for the contents of a log, in the order of the file. By default ignores them.
class LogVisitor {
public:
    virtual ~LogVisitor() = default;
    /// Whether to call on_metadata(). If not, they are not parsed: those of many flows take long.
    [[nodiscard]] virtual bool takes_metadata() const { return true; }
    virtual void on_metadata(const RunMetadata& /*metadata*/) {}
    virtual void on_sent(FlowId /*flow*/, std::span<const SentRecord> /*records*/) {}
    virtual void on_received(FlowId /*flow*/, std::span<const ReceivedRecord> /*records*/) {}
    /// Whether to call the next two instead of on_sent() and on_received(): packets by column.
    [[nodiscard]] virtual bool takes_columns() const { return false; }
    virtual void on_sent_columns(FlowId /*flow*/, const SentColumns& /*records*/) {}
    virtual void on_received_columns(FlowId /*flow*/, const ReceivedColumns& /*records*/) {}
    virtual void on_returned(FlowId /*flow*/, std::span<const RoundTripRecord> /*records*/) {}
    virtual void on_transmitted(FlowId /*flow*/, std::span<const TransmitRecord> /*records*/) {}
    virtual void on_connection(FlowId /*flow*/, std::span<const ConnectionSample> /*samples*/) {}
    virtual void on_probe(const ClockProbe& /*probe*/) {}
    virtual void on_event(const LogEvent& /*event*/) {}
    virtual void on_totals(const LogTotals& /*totals*/) {}
    virtual void on_gap(const LogGap& /*gap*/) {}
    /// Everything before this file offset has been reported; called once per block.
    virtual void on_progress(std::uint64_t /*offset*/) {}
};

/// Throws: SystemError if the file cannot be read; ParseError, with the reason, if it is not a Groma log or has an
/// unknown version.
void read_log(const std::filesystem::path& file, LogVisitor& visitor);

/// The same for the first `bytes` bytes of a file, where the log ends.
void read_log(const std::filesystem::path& file, std::uint64_t bytes, LogVisitor& visitor);

/// The same for a log that is being written. At its end calls `wait_for_more` with the number of bytes so far. It may
/// wait, and returns whether to read again; false ends the log.
void follow_log(const std::filesystem::path& file, LogVisitor& visitor,
                const std::function<bool(std::uint64_t bytes)>& wait_for_more);

/// The same from memory, for tests and fuzzers; messages use `name`.
void read_log(std::span<const std::byte> bytes, const std::string& name, LogVisitor& visitor);

}  // namespace groma
