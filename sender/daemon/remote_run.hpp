// The client's side of groma-send --via: has a run made on another host and brings its report home
// (docs/guide/daemon.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/time/clock.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// What the user of a run sees at its end, wherever it was made.
struct RunOutput {
    std::string text;                   ///< the report; empty when the run could not begin
    std::string json;                   ///< the report as one JSON object
    std::vector<std::string> failures;  ///< why it is no success, a sentence each; none: it is one
};

/// What a run elsewhere needs here. Thread: all are called from that of run_via().
struct RemoteSurroundings {
    Clock& clock;
    std::function<unsigned()> stop_requests;  ///< as in RunSurroundings: a second one gives up
    std::function<void(const std::string&)> show_progress;
    std::function<void(const std::string&)> say;
};

/// Thread: blocks its caller's until all is over. Throws: RunError when the daemon cannot be reached, refuses (with a
/// line for each error), or went away.
[[nodiscard]] RunOutput run_via(const Target& daemon, const SenderOptions& options,
                                const RemoteSurroundings& surroundings);

}  // namespace groma
