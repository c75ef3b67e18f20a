// Looks after a run while its flows are sent: ends them when the user stops it or their receivers have died, looks at
// connections, listeners, the clock and the host, and tells how it gets on.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/os/cpu_conditions.hpp"
#include "common/time/step_watch.hpp"
#include "sender/engine/send_engine.hpp"
#include "sender/links/flow_listeners.hpp"
#include "sender/links/receiver_links.hpp"
#include "sender/run/run_facts.hpp"
#include "sender/run/run_rows.hpp"
#include "sender/run/send_progress.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

/// What the watch shares with the run, which owns it.
struct WatchedRun {
    const RunSurroundings& around;
    const GiveUp& give_up;
    ReceiverLinks& links;
    RunFacts& facts;
    std::vector<LogEvent>& events;
};

/// Thread: the run's.
class RunWatch {
public:
    /// All of `run` outlives the watch.
    RunWatch(WatchedRun run, const std::vector<FlowSpec>& flows, const std::vector<ReceiverPlan>& plans);

    /// From now on conditions() counts.
    void begin() { conditions_.emplace(); }

    /// Returns when all flows have ended: to their ends, because the user stops them, or because their receivers died.
    /// `listeners`: of a passive sender. Requires: begin() was called.
    void watch(SendEngine& engine, FlowListeners* listeners, MonoTime start);

    /// The flows have ended, and their outcomes are known: a row up to here.
    void end_rows(const SendEngine& engine);
    /// The last row. Requires: end_rows() was called.
    void last_row(const SendReport& report);

    /// Notes a step of this host's clock since the last look.
    void detect_step();
    /// Of this host since begin(). Requires: begin() was called.
    [[nodiscard]] CpuConditions conditions() { return conditions_->poll(); }

private:
    void fail_flows_of_lost_receivers(SendEngine& engine);
    void tell_so_far(const SendEngine& engine, MonoTime start);

    WatchedRun run_;
    Progress progress_;
    std::optional<RunRows> rows_;  ///< empty: none are wanted
    StepWatch step_watch_;
    std::map<FlowId, std::size_t> receivers_left_;  ///< sessions of each flow that go on
    std::optional<ConditionsWatch> conditions_;
    MonoTime next_so_far_{};
};

}  // namespace groma
