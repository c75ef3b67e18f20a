// One run of the sender from beginning to end: sessions, channels, logs, engine, results.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "common/net/socket/resolver.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "common/time/clock.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// A run that several senders share, each of which sends its own flows of the experiment.
struct SharedRun {
    std::string run_id;
    std::string sender;  ///< what this one is called: logs on a log server and of receivers are named after it
    /// Tells the others that this one can start so soon from now. Returns: the instant at which all of them start, on
    /// this host's clock. Throws: RunError when the run is called off.
    std::function<MonoTime(Nanos margin)> agree_on_start;
    /// Takes the report as it is before the sender's log is closed, which may take as long as a log server does.
    std::function<void(const SendReport&)> counted;
    /// Takes, about once a second, what has been sent so far: packets and bytes of each flow, and nothing else of it.
    std::function<void(const SendReport&)> so_far;
};

/// What a run needs from its surroundings.
struct RunSurroundings {
    Clock& clock;  ///< of this host: the engine's threads read the system's clocks
    /// How often the user has asked to stop so far. The first request ends the flows, a second one the waiting for
    /// results.
    std::function<unsigned()> stop_requests;
    /// Takes a line about the run's progress, about once a second; may be empty.
    std::function<void(const std::string&)> show_progress;
    std::optional<SharedRun> shared{};  ///< nothing: this sender is the only one
    /// Ships the sender's log when no log server was named; null: nobody does. Outlives the run.
    LogShipper* shipper = nullptr;
    /// Takes a sentence for the user about what happens meanwhile; may be empty. Thread: any.
    std::function<void(const std::string&)> say{};
    ResolveName resolve = groma::resolve;  ///< of receivers and log servers
};

/// Does what the options ask for. Thread: blocks its caller's until all is over; makes the threads of ReceiverLinks,
/// SendEngine and of a log that is shipped.
/// Throws: RunError, SystemError, or ProtocolError when the run could not begin: nothing has been sent then, and no log
/// stays behind. What goes wrong later is in the report.
[[nodiscard]] SendReport send_run(SenderOptions options, RunSurroundings surroundings);

}  // namespace groma
