// An agent that is started on another host for one run, over ssh or the like, and that ends with it
// (docs/guide/agents.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/os/child_process.hpp"
#include "common/time/clock.hpp"

namespace groma {

class AgentProcess {
public:
    /// `command` runs what stands behind it on the host that stands behind it, with its own standard input and output.
    /// The agent serves who proves `key`. `where`: its host, and its port; 0: its kernel chooses. `options`: more of
    /// the agent's. Throws: SystemError; UsageError for what is no host.
    AgentProcess(const std::vector<std::string>& command, const Target& where, const SharedKey& key,
                 const std::vector<std::string>& options = {});

    struct Waiter {
        std::function<bool()> gave_up;
        std::function<void()> still_waits;  ///< called when it takes long
    };
    /// Waits until it takes runs. Returns: its port. Throws: RunError when it has ended, or `patience` is over, with
    /// what it said; or the waiter gave up.
    [[nodiscard]] std::uint16_t await_port(Clock& clock, Nanos patience, const Waiter& waiter);

private:
    std::string started_by_;  ///< for messages
    RunningChild child_;
};

/// The port of "groma-send 0.1.0: takes runs on 0.0.0.0:40123, [::]:40123" in what an agent has said; 0: it has not
/// said so.
[[nodiscard]] std::uint16_t port_of_agent(std::string_view said);

}  // namespace groma
