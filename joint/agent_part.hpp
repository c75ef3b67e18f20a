// The flows of a run that an agent sends from its host to others (docs/guide/agents.md).
#pragma once

#include <optional>
#include <string>

#include "joint/agent_process.hpp"
#include "joint/run_part.hpp"

namespace groma {

class AgentPart final : public RunPart {
public:
    /// As RunPart. `alias`: the host's; `agent`: where its agent is, or is started: SenderOptions::agent_command.
    AgentPart(SenderOptions options, JointRun joint, JointStart& start, RemoteSurroundings around, std::string alias,
              Target agent);
    AgentPart(const AgentPart&) = delete;
    AgentPart& operator=(const AgentPart&) = delete;
    ~AgentPart() override { join(); }

private:
    [[nodiscard]] std::string who() const override;
    [[nodiscard]] std::string said_by() const override { return alias_ + ": "; }
    [[nodiscard]] Target where() override;
    [[nodiscard]] SenderOptions far_options() const override;
    [[nodiscard]] std::string end() override;

    std::string alias_;
    Target agent_;
    std::optional<AgentProcess> process_;  ///< of one that was started for this run
};

}  // namespace groma
