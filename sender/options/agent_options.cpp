#include "sender/options/agent_options.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "sender/options/daemon_options.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kHighestPort = 65535;
constexpr std::uint16_t kAnyPort = 0;

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

constexpr std::string_view kOverSsh = "ssh:";
constexpr std::string_view kSsh = "ssh -o BatchMode=yes --";

/// "alpha", "alpha:9103"; without a port that of the file, or else `usual`. Throws: UsageError.
void add_agent(std::string_view text, const Experiment& experiment, std::uint16_t usual, HostAliases& agents) {
    const std::size_t colon = text.rfind(':');
    const std::string_view alias = text.substr(0, colon);
    const auto host = std::ranges::find(experiment.hosts, alias, &ExperimentHost::alias);
    if (host == experiment.hosts.end()) {
        std::vector<std::string_view> known;
        known.reserve(experiment.hosts.size());
        for (const ExperimentHost& one : experiment.hosts) {
            known.push_back(one.alias);
        }
        throw UsageError("there is no host '" + plain_text(alias, 40) + "' in [hosts] of the experiment file" +
                         did_you_mean(alias, known));
    }
    Target agent = host->target;
    agent.control_port = colon == std::string_view::npos
                             ? host->agent.value_or(usual)
                             : static_cast<std::uint16_t>(parse_whole_number(text.substr(colon + 1), 1, kHighestPort));
    agents.insert_or_assign(std::string(alias), agent);
}

std::string error_of(const FlowSpec& flow, const SenderOptions& options) {
    const std::string name = "flow '" + flow.name + "' from '" + flow.from_host + "': ";
    if (not options.agents.contains(flow.from_host)) {
        return name +
               "that host has no agent: start groma-send --agent there, and add it to --agents, or its port to "
               "[hosts] (agent = " +
               std::to_string(kDaemonPort) + ")";
    }
    if (flow.direction != Direction::forward) {
        return name + "a flow in reverse goes from the host that it names with 'to': leave out 'from'";
    }
    if (flow.payload.starts_with("file:") or flow.payload.starts_with("pcap:")) {
        return name + "its agent does not have payload " + flow.payload + ": use random, zero or pattern:HEX";
    }
    return {};
}

}  // namespace

void read_agents(const CommandLine& line, SenderOptions& options, UsageErrors& errors) {
    if (not options.as.empty()) {
        if (line.has("--agents")) {
            errors.add("--as and --agents exclude each other: --as sends from here what one host is to send");
        }
        return;
    }
    for (const ExperimentHost& host : options.experiment.hosts) {
        if (host.agent) {
            options.agents[host.alias] = host.target;
            options.agents[host.alias].control_port = *host.agent;
        }
    }
    static_cast<void>(errors.parsed(line, "--agents", [&](std::string_view text) {
        const bool over_ssh = text.starts_with(kOverSsh);
        if (over_ssh) {
            options.agents.clear();  // all are started, or none
            options.agent_command = words_of(line.value("--agent-command").value_or(std::string(kSsh)));
            text.remove_prefix(kOverSsh.size());
        }
        for (std::string_view one : split_list(text)) {
            if (over_ssh and one.starts_with(kOverSsh)) {
                one.remove_prefix(kOverSsh.size());
            } else if (one.starts_with(kOverSsh)) {
                throw UsageError("'ssh:' is for all agents, or for none: write it before the first");
            }
            add_agent(one, options.experiment, over_ssh ? kAnyPort : kDaemonPort, options.agents);
        }
        return true;
    }));
    if (line.has("--agent-command") and options.agent_command.empty()) {
        errors.add("--agent-command starts agents: name their hosts with --agents ssh:NAME,...");
    }
    // Of those that nothing goes from nobody asks anything.
    std::erase_if(options.agents, [&](const auto& agent) {
        return std::ranges::find(options.experiment.flows, agent.first, &FlowSpec::from_host) ==
               options.experiment.flows.end();
    });
}

void check_agents(const CommandLine& line, const SenderOptions& options, UsageErrors& errors) {
    if (options.agents.empty()) {
        return;
    }
    const auto refuse = [&](bool asked, const char* option, const char* why) {
        if (asked) {
            errors.add(std::string(option) + " does not go with agents (--agents, or 'agent' in [hosts]): " + why);
        }
    };
    refuse(options.passive.has_value(), "--passive", "receivers can call in at this host only");
    refuse(options.via.has_value(), "--via", "the host there makes the whole run");
    refuse(line.has("--search"), "--search", "it sends from this host only");
    refuse(options.replace_log, "--force", "agents write over no logs: give other names, or --logs a new folder");
    refuse(options.log == "-", "--log -", "name a file");
    refuse(not options.log.empty() and options.logs.empty() and not options.agent_command.empty(), "--log",
           "what is started over ssh keeps no files: have the logs brought here (--logs DIR), or collect them with "
           "--log-server");
    for (const FlowSpec& flow : options.experiment.flows) {
        if (std::string error = flow.from_host.empty() ? "" : error_of(flow, options); not error.empty()) {
            errors.add(std::move(error));
        }
    }
}

}  // namespace groma
