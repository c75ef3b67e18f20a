#include "sender/options/sender_options.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/experiment_file.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/control/reach.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/sealing.hpp"
#include "sender/named_tests/named_tests.hpp"
#include "sender/options/agent_options.hpp"
#include "sender/options/flow_options.hpp"
#include "sender/options/run_options.hpp"
#include "sender/options/sender_option_table.hpp"
#include "sender/plan/directions.hpp"

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
    if (line.value("--test") == "list") {
        return Action::list_tests;
    }
    return line.has("--list-profiles") ? std::optional(Action::list_profiles) : std::nullopt;
}

/// Whether a word that names no file may be a receiver's.
bool may_be_receiver(const std::string& word) {
    if (is_there(word) or word.ends_with(".toml")) {
        return false;
    }
    try {
        static_cast<void>(parse_target(word));
        return true;
    } catch (const UsageError&) {
        return false;
    }
}

/// The experiment file of --test. Empty: there is an error.
std::optional<std::string> read_named_test(const CommandLine& line, UsageErrors& errors) {
    if (not line.has("--to") and not line.has("--print")) {
        errors.add("nowhere to send to: name the receiver of the test (--to HOST[:PORT])");
    }
    if (not line.words().empty()) {
        errors.add("--test and the experiment file '" + plain_text(line.words().front(), 100) +
                   "' exclude each other: leave one of them out");
    }
    return errors.parsed(line, "--test",
                         [&](std::string_view name) { return named_test_text(name, line.value("--to").value_or("")); });
}

/// What --print prints. Empty: there is an error, or nothing to print.
std::optional<std::string> read_test_to_print(const CommandLine& line, UsageErrors& errors) {
    if (line.has("--print") and not line.has("--test")) {
        errors.add("--print prints the experiment file of a test: name it (--test NAME)");
    }
    return line.has("--print") ? read_named_test(line, errors) : std::nullopt;
}

/// The experiment of a file. Errors of a file have positions; they are thrown unchanged if the command line has no
/// errors.
Experiment read_file(const CommandLine& line, std::uint64_t fresh_seed, std::optional<std::uint64_t> seed,
                     UsageErrors& errors) {
    try {
        return load_experiment(line.words().front(), fresh_seed, seed);
    } catch (const ParseError& error) {
        if (errors.none()) {
            throw;
        }
        errors.add(error.what());
        return {};
    }
}

Experiment read_experiment(const CommandLine& line, std::uint64_t fresh_seed, UsageErrors& errors,
                           std::vector<std::string>& warnings) {
    const auto seed = errors.number(line, "--seed", 0, std::numeric_limits<std::uint64_t>::max());
    const auto name = errors.parsed(line, "--name", parse_name);
    Experiment experiment;
    // A word after an unknown option is probably that option's value, not a file.
    const bool no_file = line.words().empty() or (not line.unknown().empty() and line.has("--to"));
    if (line.has("--test")) {
        if (const auto text = read_named_test(line, errors)) {
            experiment = parse_experiment(*text, "--test", {}, fresh_seed, seed);
            override_experiment(line, experiment, errors);
        }
    } else if (no_file) {
        experiment.name = "send";
        experiment.seed = seed.value_or(fresh_seed);
        experiment.seed_given = seed;
        experiment.flows = flows_from_options(line, experiment.seed, errors, warnings);
    } else if (line.errors().empty()) {
        refuse_value_in_place_of_file(line, errors);
        if (const std::string& word = line.words().front(); may_be_receiver(word)) {
            errors.add("there is no experiment file '" + word + "'; did you mean --to " + word + "?");
        } else {
            experiment = read_file(line, fresh_seed, seed, errors);
            override_experiment(line, experiment, errors);
        }
    }
    experiment.name = name.value_or(experiment.name);
    experiment.required = errors.parsed(line, "--require", parse_requirements).value_or(experiment.required);
    return experiment;
}

/// The key that the experiment file names, by a path from its own folder, unless --key does.
void take_key_of_file(const CommandLine& line, SenderOptions& options) {
    const std::string& named = options.experiment.key_file;
    if (not named.empty() and not line.has("--key")) {
        options.key_file =
            named == "none" ? named : (std::filesystem::path(line.words().front()).parent_path() / named).string();
    }
}

/// A receiver's name that is nearly that of a host of the file: it is looked up as it stands.
void mention_misspelt_hosts(SenderOptions& options) {
    std::vector<std::string_view> known;
    known.reserve(options.experiment.hosts.size());
    for (const ExperimentHost& host : options.experiment.hosts) {
        known.push_back(host.alias);
    }
    std::set<std::string> mentioned;
    for (const FlowSpec& flow : options.experiment.flows) {
        const std::string& name = flow.target.host;
        const std::string meant = flow.to_host.empty() ? did_you_mean(name, known) : "";
        if (not meant.empty() and std::ranges::find(known, name) == known.end() and mentioned.insert(name).second) {
            options.warnings.push_back("flow '" + flow.name + "' goes to '" + plain_text(name, 60) +
                                       "', which is no host of [hosts] in the experiment file" + meant);
        }
    }
}

/// Keeps only the flows of this sender's host.
void keep_own_flows(SenderOptions& options, UsageErrors& errors) {
    std::vector<FlowSpec>& flows = options.experiment.flows;
    std::vector<std::string_view> sources;
    for (const FlowSpec& flow : flows) {
        if (not flow.from_host.empty() and std::ranges::find(sources, flow.from_host) == sources.end()) {
            sources.push_back(flow.from_host);
        }
    }
    if (options.as.empty()) {
        if (not sources.empty() and options.agents.empty()) {
            options.warnings.push_back(
                "all flows are sent from this host, whatever their 'from' says (--agents NAME,... has agents there "
                "send them, --as NAME sends only NAME's)");
        }
        return;
    }
    if (errors.none() and std::ranges::find(sources, options.as) == sources.end()) {
        errors.add("--as: no flow goes from '" + options.as + "'" + did_you_mean(options.as, sources) +
                   (sources.empty() ? ": write from = \"" + options.as + "\" in the experiment file" : ""));
    }
    std::erase_if(flows, [&](const FlowSpec& flow) { return flow.from_host != options.as; });
}

/// Why a flow cannot come to this host; empty: it can.
std::string reverse_error(const SenderOptions& options, const FlowSpec& flow) {
    const std::string name = "flow '" + flow.name + "': ";
    if (options.passive or options.via) {
        return name + (options.passive ? "--passive" : "--via") +
               " takes no flows in reverse: leave out one of the two";
    }
    if (not options.logs.empty() and options.replace_log) {
        return name + "--force replaces no logs that come from the host that sends: give --logs a new folder";
    }
    if (options.log == "-" or not options.signal_line.empty()) {
        return name + (options.log == "-" ? "--log -" : "--signal-line") +
               " is of what this host sends: leave it out with --reverse and --bidir";
    }
    if (flow.payload.starts_with("file:") or flow.payload.starts_with("pcap:")) {
        return name + "the host that sends in reverse does not have payload " + flow.payload +
               ": use random, zero or pattern:HEX";
    }
    return called_in_error(flow, "--reverse");
}

/// Who sends which flow.
void read_directions(const CommandLine& line, SenderOptions& options, UsageErrors& errors) {
    std::vector<FlowSpec>& flows = options.experiment.flows;
    if (line.has("--reverse") and line.has("--bidir")) {
        errors.add("--reverse and --bidir exclude each other: --bidir sends in both directions");
    }
    for (FlowSpec& flow : flows) {
        flow.direction = line.has("--bidir")     ? Direction::both
                         : line.has("--reverse") ? Direction::reverse
                                                 : flow.direction;
    }
    for (std::string& error : split_both(flows)) {
        errors.add(std::move(error));
    }
    for (const FlowSpec& flow : flows) {
        if (flow.direction == Direction::reverse) {
            if (std::string error = reverse_error(options, flow); not error.empty()) {
                errors.add(std::move(error));
            }
        }
    }
}

/// What cannot be shown while it goes on.
void check_live(const SenderOptions& options, const std::string& option, UsageErrors& errors) {
    if (options.action == SenderOptions::Action::dry_run) {
        errors.add(option + " shows a run while it goes on, and --dry-run sends nothing: leave out one of the two");
    }
    const auto comes_here = [](const FlowSpec& flow) { return flow.direction == Direction::reverse; };
    const auto goes_from_here = [&](const FlowSpec& flow) {
        return not comes_here(flow) and not options.agents.contains(flow.from_host);
    };
    const std::vector<FlowSpec>& flows = options.experiment.flows;
    if (not flows.empty() and std::ranges::all_of(flows, comes_here)) {
        errors.add(option +
                   " shows what this host sends, and all flows come from the receivers: leave it out, or send in both "
                   "directions (--bidir)");
    } else if (not flows.empty() and std::ranges::none_of(flows, goes_from_here)) {
        errors.add(option +
                   " shows what this host sends, and other hosts send all flows: agents show no rows; leave it out, or "
                   "have a flow go from here");
    }
}

void check_page(const SenderOptions& options, UsageErrors& errors) {
    if (not options.page.empty()) {
        check_live(options, "--web", errors);
    } else if (options.page_hold > Nanos{0}) {
        errors.add("--web-hold requires --web");
    }
}

/// What no rows can be shown of, or nowhere.
void check_rows(const SenderOptions& options, UsageErrors& errors) {
    if (not options.interval) {
        if (options.jsonl) {
            errors.add("--jsonl requires --interval");
        }
        return;
    }
    check_live(options, "--interval", errors);
    const bool json_on_output = options.json and options.json_file.empty();
    const std::string other = json_on_output ? "--json" : options.log == "-" ? "--log -" : "";
    const bool rows_on_output = options.jsonl == "-" or not(options.jsonl or options.quiet) or prints_text(options);
    if (not other.empty() and rows_on_output) {
        errors.add("the rows of --interval and " + other +
                   " both go to standard output: give one of them a file (--jsonl=FILE)");
    } else if (options.quiet and not options.jsonl) {
        errors.add("--interval prints rows, and --quiet prints none: leave out one of the two, or add --jsonl");
    }
}

}  // namespace

SenderOptions SenderOptions::parse(std::span<const std::string> arguments, std::uint64_t fresh_seed) {
    const CommandLine line(sender_option_table(), arguments);
    UsageErrors errors(line);
    SenderOptions options;
    if (const auto action = simple_action(line)) {
        errors.throw_if_any();
        options.action = *action;
        return options;
    }
    read_options(line, errors, options, option_use::with_daemon);
    options.web.or_tokens_in(options.keys);
    if (std::string error = web_error(options.web, {{"--metrics", options.metrics}, {"--web", options.page}});
        not error.empty()) {
        errors.add(std::move(error));
    }
    if (read_daemon(line, errors, options)) {
        errors.throw_if_any();
        options.action = Action::daemon;
        return options;
    }
    read_options(line, errors, options, 0, ReadTurn::early);
    read_options(line, errors, options, 0);
    if (line.has("--resume-spool")) {
        errors.throw_if_any();
        options.action = Action::resume_spool;
        return options;
    }
    if (read_calibration(line, errors, options)) {
        errors.throw_if_any();
        options.action = Action::calibrate;
        return options;
    }
    if (auto text = read_test_to_print(line, errors)) {
        errors.throw_if_any();
        options.action = Action::print_test;
        options.test_file = *std::move(text);
        return options;
    }
    options.experiment = read_experiment(line, fresh_seed, errors, options.warnings);
    read_agents(line, options, errors);
    mention_misspelt_hosts(options);
    keep_own_flows(options, errors);
    read_options(line, errors, options, 0, ReadTurn::late);
    read_directions(line, options, errors);
    check_agents(line, options, errors);
    check_dialled(options, errors);
    options.serves = options.passive ? passive_reach(options).in_words() : "";
    if (options.passive and options.to_anyone) {
        options.warnings.push_back(reach_warning({.to_anyone = true}, "call in as a receiver of this run"));
    }
    check_rows(options, errors);
    check_page(options, errors);
    take_key_of_file(line, options);
    read_search(line, errors, options);
    errors.throw_if_any();
    return options;
}

void SenderOptions::seal_flows() {
    const bool has_keys = offer or key or not handed_keys.empty();
    const bool asks_for_keys = passive and not passive->call and not keys.empty();
    if (has_keys or asks_for_keys) {
        seal_by_default(experiment.flows);
    }
}

}  // namespace groma
