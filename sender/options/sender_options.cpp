#include "sender/options/sender_options.hpp"

#include <algorithm>
#include <limits>

#include "common/base/nearest.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/experiment_file.hpp"
#include "common/cli/mistakes.hpp"
#include "sender/options/flow_options.hpp"
#include "sender/options/run_options.hpp"
#include "sender/options/sender_option_table.hpp"

namespace groma {

namespace {

std::optional<SenderOptions::Action> simple_action(const CommandLine& line) {
    using Action = SenderOptions::Action;
    if (line.has("--help")) {
        return Action::help;
    }
    if (line.has("--version")) {
        return Action::version;
    }
    if (line.has("--list-transports")) {
        return Action::list_transports;
    }
    return line.has("--list-profiles") ? std::optional(Action::list_profiles) : std::nullopt;
}

void add_mistakes_of_form(const CommandLine& line, Mistakes& mistakes) {
    for (const std::string& mistake : line.mistakes()) {
        const bool rate = mistake.starts_with("unknown option --rate");
        mistakes.add(rate ? "unknown option --rate: give the time between departures, such as --idt const:1000pps or "
                            "--idt exp:1000pps"
                          : mistake);
    }
}

/// The experiment of a file, with what the command line puts over it. Mistakes of a file have places; they are thrown
/// as they are if the command line has none of its own.
Experiment read_file(const CommandLine& line, std::optional<std::uint64_t> seed, std::uint64_t fresh_seed,
                     Mistakes& mistakes) {
    Experiment experiment;
    try {
        experiment = load_experiment(line.words().front(), fresh_seed);
    } catch (const ParseError& error) {
        if (mistakes.none()) {
            throw;
        }
        mistakes.add(error.what());
    }
    if (seed) {
        experiment.seed = *seed;
        experiment.seed_given = seed;
    }
    override_experiment(line, experiment, mistakes);
    return experiment;
}

Experiment read_experiment(const CommandLine& line, std::uint64_t fresh_seed, Mistakes& mistakes,
                           std::vector<std::string>& remarks) {
    const auto seed = mistakes.number(line, "--seed", 0, std::numeric_limits<std::uint64_t>::max());
    const auto name = mistakes.parsed(line, "--name", parse_name);
    Experiment experiment;
    // A word behind an unknown option is more likely to be that option's value than a file.
    const bool no_file = line.words().empty() or (not line.unknown().empty() and line.has("--to"));
    if (no_file) {
        experiment.name = "send";
        experiment.seed = seed.value_or(fresh_seed);
        experiment.seed_given = seed;
        experiment.flows = flows_from_options(line, experiment.seed, mistakes, remarks);
    } else if (line.mistakes().empty()) {
        refuse_value_in_place_of_file(line, mistakes);
        experiment = read_file(line, seed, fresh_seed, mistakes);
    }
    experiment.name = name.value_or(experiment.name);
    experiment.required = mistakes.parsed(line, "--require", parse_requirements).value_or(experiment.required);
    return experiment;
}

/// Leaves only the flows of the host that this sender is.
void keep_own_flows(SenderOptions& options, Mistakes& mistakes) {
    std::vector<FlowSpec>& flows = options.experiment.flows;
    std::vector<std::string_view> sources;
    for (const FlowSpec& flow : flows) {
        if (not flow.from_host.empty() and std::ranges::find(sources, flow.from_host) == sources.end()) {
            sources.push_back(flow.from_host);
        }
    }
    if (options.as.empty()) {
        if (not sources.empty()) {
            options.remarks.push_back(
                "all flows are sent from this host, whatever their 'from' says (--as NAME sends "
                "only NAME's)");
        }
        return;
    }
    if (mistakes.none() and std::ranges::find(sources, options.as) == sources.end()) {
        mistakes.add("--as: no flow goes from '" + options.as + "'" + did_you_mean(options.as, sources) +
                     (sources.empty() ? ": write from = \"" + options.as + "\" in the experiment file" : ""));
    }
    std::erase_if(flows, [&](const FlowSpec& flow) { return flow.from_host != options.as; });
}

}  // namespace

SenderOptions SenderOptions::parse(std::span<const std::string> arguments, std::uint64_t fresh_seed) {
    const CommandLine line(sender_option_table(), arguments);
    Mistakes mistakes;
    add_mistakes_of_form(line, mistakes);
    SenderOptions options;
    if (const auto action = simple_action(line)) {
        mistakes.throw_if_any();
        options.action = *action;
        return options;
    }
    read_options(line, mistakes, options, option_use::with_daemon);
    if (read_daemon(line, mistakes, options)) {
        mistakes.throw_if_any();
        options.action = Action::daemon;
        return options;
    }
    read_options(line, mistakes, options, 0, ReadTurn::early);
    read_options(line, mistakes, options, 0);
    if (line.has("--resume-spool")) {
        mistakes.throw_if_any();
        options.action = Action::resume_spool;
        return options;
    }
    if (read_calibration(line, mistakes, options)) {
        mistakes.throw_if_any();
        options.action = Action::calibrate;
        return options;
    }
    options.experiment = read_experiment(line, fresh_seed, mistakes, options.remarks);
    keep_own_flows(options, mistakes);
    read_options(line, mistakes, options, 0, ReadTurn::late);
    check_dialled(options, mistakes);
    mistakes.throw_if_any();
    return options;
}

}  // namespace groma
