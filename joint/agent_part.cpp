#include "joint/agent_part.hpp"

#include <filesystem>
#include <utility>
#include <vector>

#include "common/model/flow/flow_text.hpp"

namespace groma {

namespace {

/// What ssh does takes longer than to connect.
constexpr int kLogins = 6;

}  // namespace

AgentPart::AgentPart(SenderOptions options, JointRun joint, JointStart& start, RemoteSurroundings around,
                     std::string alias, Target agent)
    : RunPart(std::move(options), std::move(joint), start, std::move(around)),
      alias_(std::move(alias)),
      agent_(std::move(agent)) {}

std::string AgentPart::who() const {
    return "the agent of '" + alias_ + "' at " + to_string(agent_);
}

Target AgentPart::where() {
    if (key()) {
        std::vector<std::string> more;
        if (options().log_server) {
            more = {"--log-servers", options().log_server->host};
        }
        process_.emplace(options().agent_command, agent_, *key(), more);
        agent_.control_port =
            process_->await_port(clock(), options().times.connecting * kLogins,
                                 {.gave_up = [this] { return is_stopped(); },
                                  .still_waits = [this] { say("waits for its agent to be started"); }});
    }
    return agent_;
}

std::string AgentPart::end() {
    process_.reset();
    return {};
}

SenderOptions AgentPart::far_options() const {
    SenderOptions far = options();
    // In the agent's folder, or here.
    far.log = far.logs.empty() ? std::filesystem::path(far.log).filename().string() : "";
    far.experiment.required.clear();  // of the whole run
    return far;
}

}  // namespace groma
