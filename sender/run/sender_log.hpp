// The sender's log of a run: a file, a log server, or both, opened before anything is sent.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/control/sectioned_log.hpp"
#include "common/log/log_sink.hpp"
#include "common/log/log_writer.hpp"
#include "common/log/run_metadata.hpp"
#include "common/net/socket/resolver.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "common/time/clock.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// Where a log is on a log server.
struct PlaceOnServer {
    std::string folder;  ///< of the run
    std::string name = "sender";
    LogShipper* shipper = nullptr;  ///< takes the log when no log server was named; outlives the log
    /// Takes what its own shipper has to say; may be empty. Thread: any.
    std::function<void(const std::string&)> say{};
    ResolveName resolve = groma::resolve;  ///< of the log server
};

/// Life: construct (opens the file), ship_to(), begin(), use writer(), close(). Thread: its owner's, but for writer(),
/// which is lent to the engine's log thread between begin() and close().
class SenderLog {
public:
    /// Options and clock outlive it. Throws: as open_file_sink(), open_unnamed_file_sink(). A log that goes to the
    /// client, and is not kept here, waits without a name in the room of spools. A log that was never begun leaves
    /// nothing on the disk; one that was not closed stays as ".part".
    SenderLog(const SenderOptions& options, Clock& clock);
    /// Opens the log on the log server, if one was asked for. Throws: SystemError or ProtocolError.
    void ship_to(const PlaceOnServer& place);

    [[nodiscard]] bool wanted() const { return sink_ != nullptr; }
    /// Writes the metadata. Does nothing if no log was asked for. Throws: what the sinks throw.
    void begin(const RunMetadata& metadata);

    /// What is on this host's disk, for SenderOptions::logs_for_client. Requires: close(), and that it is wanted.
    [[nodiscard]] SectionedLog& written();

    /// Null if no log was asked for.
    [[nodiscard]] LogWriter* writer() { return writer_.get(); }

    /// Adds what was seen besides packets, closes the log and reports on it; nothing if no log was asked for. When
    /// `error` says that records could not be logged, the log is left unfinished, so that it does not look whole.
    [[nodiscard]] std::optional<LogReport> close(const std::vector<LogEvent>& events,
                                                 const std::vector<ClockProbe>& probes, const LogTotals& totals,
                                                 const std::string& error);

private:
    const SenderOptions& options_;
    Clock& clock_;
    std::unique_ptr<LogShipper> shipper_;  ///< its own
    std::unique_ptr<LogSink> sink_;
    std::optional<SectionedLog> written_;
    const ShippedLog* shipped_ = nullptr;  ///< within sink_
    std::unique_ptr<LogWriter> writer_;
};

}  // namespace groma
