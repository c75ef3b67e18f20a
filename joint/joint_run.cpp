#include "joint/joint_run.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/access/drawn_key.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/host.hpp"
#include "common/os/process.hpp"
#include "joint/agent_part.hpp"
#include "joint/joint_start.hpp"
#include "joint/reverse_part.hpp"
#include "sender/plan/directions.hpp"
#include "sender/report/merged_report.hpp"
#include "sender/report/report_json.hpp"
#include "sender/report/report_text.hpp"
#include "sender/run/log_folder.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

namespace {

/// The flows in reverse, by the hosts that send them.
std::vector<std::vector<FlowSpec>> by_sender(std::vector<FlowSpec> flows) {
    std::map<std::pair<std::string, std::uint16_t>, std::vector<FlowSpec>> groups;
    for (FlowSpec& flow : flows) {
        groups[{flow.target.host, flow.target.control_port}].push_back(std::move(flow));
    }
    std::vector<std::vector<FlowSpec>> parts;
    parts.reserve(groups.size());
    for (auto& [where, group] : groups) {
        parts.push_back(std::move(group));
    }
    return parts;
}

/// Takes those out that agents send, by the agents' hosts.
std::map<std::string, std::vector<FlowSpec>> take_those_of_agents(std::vector<FlowSpec>& flows,
                                                                  const HostAliases& agents) {
    std::map<std::string, std::vector<FlowSpec>> groups;
    std::vector<FlowSpec> own;
    for (FlowSpec& flow : flows) {
        std::vector<FlowSpec>& group = agents.contains(flow.from_host) ? groups[flow.from_host] : own;
        group.push_back(std::move(flow));
    }
    flows = std::move(own);
    return groups;
}

/// Flows of a host that has no report: nothing is known of them.
void add_lost(std::vector<FlowReport>& lost, const std::vector<FlowSpec>& flows,
              const std::vector<std::string>& errors) {
    for (const FlowSpec& flow : flows) {
        FlowReport& report = lost.emplace_back();
        report.spec = flow;
        report.outcome.flow = flow.id;
        report.outcome.counts.end = FlowEnd::failed;
        report.outcome.error = "what was sent is not known: " + (errors.empty() ? "no report came" : errors.front());
    }
}

class WholeRun {
public:
    WholeRun(SenderOptions options, const RemoteSurroundings& around)
        : options_(std::move(options)),
          around_(around),
          of_agents_(take_those_of_agents(options_.experiment.flows, options_.agents)),
          back_(by_sender(take_reverse(options_.experiment.flows))),
          forward_(not options_.experiment.flows.empty()),
          start_(of_agents_.size() + back_.size() + (forward_ ? 1 : 0), around.clock) {}

    WholeRun(const WholeRun&) = delete;
    WholeRun& operator=(const WholeRun&) = delete;
    /// When not all parts could begin, those that did wait for the start.
    ~WholeRun() { start_.call_off(); }

    RunOutput run() {
        if (not options_.logs.empty()) {
            raise_fd_limit();  // those of all hosts are open together
            make_log_folder(options_.logs);
            refuse_other_logs(options_.logs);
        }
        for (auto& [alias, flows] : of_agents_) {
            start_agent(alias, std::move(flows));
        }
        for (std::vector<FlowSpec>& flows : back_) {
            start_reverse(std::move(flows));
        }
        std::optional<SendReport> own;
        if (forward_) {
            own = send();
        }
        std::vector<const SendReport*> reports;
        std::vector<FlowReport> lost;
        if (own) {
            reports.push_back(&*own);
        } else if (forward_) {
            add_lost(lost, options_.experiment.flows, errors_);
        }
        for (const auto& part : parts_) {
            part->join();
            errors_.insert(errors_.end(), part->errors().begin(), part->errors().end());
            if (part->report()) {
                reports.push_back(&*part->report());
            } else {
                add_lost(lost, part->flows(), part->errors());
            }
        }
        if (reports.empty()) {
            throw RunError(all_errors());
        }
        SendReport whole = merged(reports);
        whole.flows.insert(whole.flows.end(), std::make_move_iterator(lost.begin()),
                           std::make_move_iterator(lost.end()));
        std::ranges::sort(whole.flows, {}, [](const FlowReport& flow) { return flow.spec.id.value; });
        whole.run_id = run_id_;
        whole.experiment = options_.experiment.name;
        whole.seed = options_.experiment.seed;
        whole.required = options_.experiment.required;
        if (own) {
            whole.log = own->log;
        }
        return output(whole);
    }

private:
    void start_agent(const std::string& alias, std::vector<FlowSpec> flows) {
        SenderOptions part = options_;
        part.log = with_mark(part.log, file_name_part(alias));
        const std::string from = "from-" + file_name_part(alias);
        part.receiver_log = with_mark(part.receiver_log, from);
        if (not part.logs.empty()) {
            part.logs_for_client = {.own = std::filesystem::path(part.log).filename().string(),
                                    .receivers = with_mark(std::string(kReceiversLogOfFolder), from)};
        }
        part.experiment.flows = std::move(flows);
        RemoteSurroundings around = around_;
        around.say = [this, alias](const std::string& sentence) {
            if (around_.say) {
                around_.say(alias + ": " + sentence);
            }
        };
        JointRun joint{.run_id = run_id_, .sender = alias};
        if (not options_.agent_command.empty()) {
            joint.key = draw_key();
        }
        start(std::make_unique<AgentPart>(std::move(part), std::move(joint), start_,
                                          quiet_beside_others(std::move(around)), alias, options_.agents.at(alias)));
    }

    /// One line on the terminal, of the first.
    [[nodiscard]] RemoteSurroundings quiet_beside_others(RemoteSurroundings around) const {
        if (forward_ or not parts_.empty()) {
            around.show_progress = {};
        }
        return around;
    }

    void start(std::unique_ptr<RunPart> part) {
        parts_.push_back(std::move(part));
        parts_.back()->start();
    }

    void start_reverse(std::vector<FlowSpec> flows) {
        SenderOptions part = options_;
        std::string mark = forward_ ? "reverse" : "";
        if (back_.size() > 1) {
            const Target& target = flows.front().target;
            mark.append(mark.empty() ? "" : "-")
                .append(file_name_part(target.host + '-' + std::to_string(target.control_port)));
        }
        if (not mark.empty()) {
            part.log = with_mark(part.log, mark);
            part.receiver_log = with_mark(part.receiver_log, mark);
        }
        if (not part.log.empty() and not part.replace_log and std::filesystem::exists(part.log)) {
            throw RunError("log '" + part.log + "' is there already: give another name, or --force to replace it");
        }
        if (not part.logs.empty()) {  // what is received is here
            const std::string usual(kReceiversLogOfFolder);
            part.logs_for_client.own = mark.empty() ? usual : with_mark(usual, mark);
        }
        part.experiment.flows = std::move(flows);
        start(std::make_unique<ReversePart>(std::move(part), JointRun{.run_id = run_id_}, start_,
                                            quiet_beside_others(around_)));
    }

    /// The flows from here.
    std::optional<SendReport> send() {
        try {
            return send_run(options_, {.clock = around_.clock,
                                       .stop_requests = around_.stop_requests,
                                       .show_progress = around_.show_progress,
                                       .rows = around_.rows,
                                       .shared = SharedRun{.run_id = run_id_,
                                                           .sender = "",
                                                           .agree_on_start =
                                                               [this](Nanos margin) {
                                                                   start_.ready(margin);
                                                                   return await_start();
                                                               }},
                                       .say = around_.say,
                                       .live = around_.live});
        } catch (const std::exception& error) {
            if (not start_.called_off()) {  // otherwise whoever called it off has the reason
                errors_.emplace_back(error.what());
            }
            start_.call_off();
            return std::nullopt;
        }
    }

    [[nodiscard]] MonoTime await_start() {
        return start_.start().wait(around_.clock, options_.times.starting,
                                   [this] { return around_.stop_requests() > 0; });
    }

    [[nodiscard]] RunOutput output(const SendReport& report) const {
        RunOutput out = output_of(report, options_.verbose);
        out.failures.insert(out.failures.begin(), errors_.begin(), errors_.end());
        return out;
    }

    [[nodiscard]] std::string all_errors() const {
        std::string text;
        for (const std::string& error : errors_) {
            text += (text.empty() ? "" : "\n") + error;
        }
        return text.empty() ? "nothing was sent" : text;
    }

    SenderOptions options_;  ///< its flows: those forward
    const RemoteSurroundings& around_;
    std::map<std::string, std::vector<FlowSpec>> of_agents_;
    std::vector<std::vector<FlowSpec>> back_;
    bool forward_;
    std::string run_id_ = random_id();
    JointStart start_;
    std::vector<std::unique_ptr<RunPart>> parts_;
    std::vector<std::string> errors_;
};

}  // namespace

RunOutput output_of(const SendReport& report, bool verbose) {
    return {
        .text = plain_lines(report_text(report, verbose)), .json = report_json(report), .failures = failures(report)};
}

RunOutput run_jointly(SenderOptions options, const RemoteSurroundings& around) {
    return WholeRun(std::move(options), around).run();
}

}  // namespace groma
