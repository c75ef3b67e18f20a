#include "reverse/agent_part.hpp"

#include <filesystem>
#include <utility>

#include "common/model/flow/flow_text.hpp"

namespace groma {

AgentPart::AgentPart(SenderOptions options, JointRun joint, JointStart& start, RemoteSurroundings around,
                     std::string alias, Target agent)
    : RunPart(std::move(options), std::move(joint), start, std::move(around)),
      alias_(std::move(alias)),
      agent_(std::move(agent)) {}

std::string AgentPart::who() const {
    return "the agent of '" + alias_ + "' at " + to_string(agent_);
}

SenderOptions AgentPart::far_options() const {
    SenderOptions far = options();
    far.log = std::filesystem::path(far.log).filename().string();  // in the agent's folder
    far.experiment.required.clear();                               // of the whole run
    return far;
}

}  // namespace groma
