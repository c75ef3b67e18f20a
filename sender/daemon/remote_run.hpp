// The client's side of groma-send --via: starts a run on another host and fetches its report (docs/guide/daemon.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/time/clock.hpp"
#include "sender/daemon/daemon_messages.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/run/live_run.hpp"
#include "sender/run/run_rows.hpp"

namespace groma {

/// The output of a local or a remote run.
struct RunOutput {
    std::string text;                   ///< the report; empty if the run could not begin
    std::string json;                   ///< the report as one JSON object
    std::vector<std::string> failures;  ///< why the run failed, a sentence each; empty: success
};

/// A run that is one of several with a common start, or whose flows come to this host (docs/guide/reverse.md). Thread:
/// as RemoteSurroundings.
struct JointRun {
    std::string run_id;
    std::string sender{};            ///< as in RunRequest
    std::optional<SharedKey> key{};  ///< of the daemon; nothing: that of the user, if there is one
    /// The run is accepted: the receiver here calls in at `sender` under `name`. Empty: the flows go to others.
    std::function<void(const SocketAddress& sender, const std::string& name)> call{};
    std::function<void(Nanos margin)> ready{};            ///< it can start after `margin`
    std::function<std::optional<MonoTime>()> start_at{};  ///< the common start, once it is known
    /// Take what comes of the logs, after all of the report, which is as report_codec.hpp writes it. Throw: RunError
    /// for what cannot be.
    std::function<void(const std::string& report, const RunLogSection&)> log{};
    std::function<void(const std::string& report, const RunLogLost&)> log_lost{};
};

/// What a remote run needs on this host. Thread: all are called from that of run_via(); those of a run in both
/// directions from several.
struct RemoteSurroundings {
    Clock& clock;
    std::function<unsigned()> stop_requests;  ///< as in RunSurroundings; a second one gives up
    std::function<void(const std::string&)> show_progress;
    std::function<void(const std::string&)> say;
    const JointRun* joint = nullptr;   ///< null: the flows go from that host to others, in a run of its own
    std::optional<RowsWanted> rows{};  ///< of what this host sends in a run in both directions
    LiveRun* live = nullptr;           ///< likewise; null: nobody follows it
};

/// Blocks until the run is over. Of a joint run the output has the report as report_codec.hpp writes it. Throws:
/// RunError if the daemon is unreachable, refuses (one line per error), or disconnects.
[[nodiscard]] RunOutput run_via(const Target& daemon, const SenderOptions& options,
                                const RemoteSurroundings& surroundings);

}  // namespace groma
