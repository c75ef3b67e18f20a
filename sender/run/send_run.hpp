// A complete run of the sender: sessions, channels, logs, engine, results.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/net/socket/resolver.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "common/time/clock.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/report/run_report.hpp"
#include "sender/run/live_run.hpp"
#include "sender/run/run_rows.hpp"

namespace groma {

/// A run of several senders, each of which sends its own flows of the experiment.
struct SharedRun {
    std::string run_id;
    /// This sender's name: part of the log names on log servers and receivers. Empty: names as of a single sender.
    std::string sender;
    bool has_folder = true;  ///< of its own, on receivers too: names of files there need not tell runs apart
    /// Reports to the other senders that this one can start after `margin`. Returns: the common start on this host's
    /// clock. Throws: RunError if the run is cancelled.
    std::function<MonoTime(Nanos margin)> agree_on_start;
    /// Takes the report before the sender's log is closed; closing may wait for a log server. May be empty.
    std::function<void(const SendReport&)> counted{};
    /// Takes the progress about once a second: only packets and bytes of each flow.
    std::function<void(const SendReport&)> so_far{};
};

class LogTaker;

/// The environment of a run.
struct RunSurroundings {
    Clock& clock;  ///< this host's; the engine's threads read the system's clocks
    /// The number of stop requests so far. The first ends the flows; the second ends the wait for results.
    std::function<unsigned()> stop_requests;
    /// Takes a progress line about once a second; may be empty.
    std::function<void(const std::string&)> show_progress;
    std::optional<RowsWanted> rows{};   ///< take the place of the progress line, or not
    std::optional<SharedRun> shared{};  ///< empty: the only sender
    /// Ships the sender's log if no log server was named; null: none. Outlives the run.
    LogShipper* shipper = nullptr;
    /// Takes messages for the user; may be empty. Thread: any.
    std::function<void(const std::string&)> say{};
    ResolveName resolve = groma::resolve;  ///< for receivers and log servers
    LogTaker* log_taker = nullptr;         ///< of SenderOptions::logs_for_client; null: none. Outlives the run
    LiveRun* live = nullptr;               ///< follows what is sent; null: nobody does. Outlives the run
};

/// Executes the run. Thread: blocks its caller's; starts the threads of ReceiverLinks, SendEngine and of log shipping.
/// Throws: RunError, SystemError, or ProtocolError if the run could not begin: then no packet was sent and no log
/// remains. Later errors are in the report.
[[nodiscard]] SendReport send_run(SenderOptions options, RunSurroundings surroundings);

}  // namespace groma
