#include "sender/options/flow_options.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "common/cli/experiment_file.hpp"
#include "common/model/flow/flow_keys.hpp"
#include "common/model/flow/start_spread.hpp"
#include "common/model/text/quantity_text.hpp"
#include "sender/options/option_rows.hpp"
#include "sender/options/search_options.hpp"
#include "sender/options/sender_option_table.hpp"
#include "sender/plan/receiver_plan.hpp"

namespace groma {

namespace {

constexpr Nanos kDefaultDuration = std::chrono::seconds(10);
constexpr std::uint64_t kMostPorts = 65'535;

/// A span that is not negative.
Nanos parse_span(std::string_view text) {
    const Nanos span = parse_duration(text);
    if (span < Nanos(0)) {
        throw UsageError("'" + std::string(text) + "' is negative");
    }
    return span;
}

/// Reads the options that are keys of a flow, for a range of turns. File names are relative to the working directory.
void read_keys(const CommandLine& line, UsageErrors& errors, FlowDraft& draft, FlowKeyTurn first, FlowKeyTurn last) {
    const HostAliases no_aliases;
    const NamedFiles files = named_files_in({});
    for (const FlowKeyRow& key : flow_keys_by_turn()) {
        if (key.turn < first or key.turn > last or key.option.empty()) {
            continue;
        }
        const auto set = [&](std::string_view text) {
            key.set(draft, {Setting::Kind::word, std::string(text), {}, {}}, {no_aliases, files});
            return true;
        };
        if (not key.value.empty()) {
            errors.parsed(line, key.option, set);
        } else if (line.has(key.option)) {
            set("on");
        }
    }
}

/// The stop rules on the command line, and the law of volumes.
FlowDraft read_stop_rule(const CommandLine& line, UsageErrors& errors) {
    FlowDraft draft;
    read_keys(line, errors, draft, FlowKeyTurn::stop, FlowKeyTurn::stop);
    const StopRule& rule = draft.spec.stop;
    if (rule.duration and *rule.duration <= Nanos(0)) {
        errors.add("--duration: it must be longer than 0");
    }
    if (rule.bytes and rule.bytes->count == 0) {
        errors.add("--bytes: it must be more than 0");
    }
    return draft;
}

void read_transport_options(const CommandLine& line, UsageErrors& errors, TransportOptions& options) {
    for (const TransportOption& option : transport_options()) {
        errors.parsed(line, option.name, [&](std::string_view text) {
            option.row.set(options, text);
            return true;
        });
    }
}

void read_processes(const CommandLine& line, UsageErrors& errors, FlowDraft& draft) {
    read_keys(line, errors, draft, FlowKeyTurn::profile, FlowKeyTurn::transport);
    read_transport_options(line, errors, draft.spec.options);
    read_keys(line, errors, draft, FlowKeyTurn::process, FlowKeyTurn::process);
    if (draft.rate) {
        errors.parsed(line, "--rate", [&](std::string_view /*text*/) {
            apply_rate(draft);
            return true;
        });
    }
    choose_rest(draft);
    if (draft.on and draft.off) {
        draft.spec.on_off = OnOff{*std::move(draft.on), *std::move(draft.off)};
    } else if (line.has("--on") != line.has("--off")) {
        errors.add(line.has("--on") ? "--on needs --off: the periods in which nothing departs"
                                    : "--off needs --on: the periods in which packets depart");
    }
}

void read_target(const CommandLine& line, UsageErrors& errors, FlowDraft& draft) {
    if (line.has("--to")) {
        read_keys(line, errors, draft, FlowKeyTurn::receiver, FlowKeyTurn::receiver);
    } else if (line.has("--passive")) {
        draft.spec.target.host = kWhoeverCalls;
    } else {
        errors.add("nowhere to send to: name a receiver (--to HOST[:PORT]) or an experiment file");
    }
}

/// Another name of --flows.
void read_parallel(const CommandLine& line, UsageErrors& errors, FlowDraft& draft) {
    if (line.has("--parallel") and line.has("--flows")) {
        errors.add("--parallel is --flows under another name: leave one of them out");
    }
    draft.count = static_cast<std::uint32_t>(errors.number(line, "--parallel", 1, kMaxFlows).value_or(draft.count));
}

/// Flows with a first port take consecutive ports.
void check_ports(const FlowDraft& draft, UsageErrors& errors) {
    const std::uint64_t ports = draft.spec.options.association ? 1 : draft.count;
    const auto check = [&](const char* option, std::optional<std::uint64_t> port) {
        if (port and *port + ports - 1 > kMostPorts) {
            errors.add(option + std::string(": ") + std::to_string(draft.count) + " flows from port " +
                       std::to_string(*port) + " on would need ports beyond 65535");
        }
    };
    check("--port", draft.spec.target.data_port);
    check("--source-port", draft.spec.options.source_port);
}

void set_control_port(const CommandLine& line, UsageErrors& errors, std::vector<FlowSpec>& flows) {
    const auto port = errors.number(line, "--control-port", 1, kMostPorts);
    for (FlowSpec& flow : flows) {
        if (port and flow.target.control_port == Target().control_port) {
            flow.target.control_port = static_cast<std::uint16_t>(*port);
        }
    }
}

std::vector<FlowSpec> flows_of(const FlowDraft& draft) {
    const FlowSpec& model = draft.spec;
    std::vector<FlowSpec> flows(draft.count, model);
    for (std::uint32_t i = 0; i < draft.count; ++i) {
        FlowSpec& flow = flows[i];
        flow.id = FlowId{i + 1};
        flow.name = draft.count == 1 ? "flow" : "flow-" + std::to_string(i + 1);
        draw_values(draft.drawn, flow);
        if (model.options.association) {
            continue;  // one socket on either side
        }
        if (flow.target.data_port) {
            flow.target.data_port = static_cast<std::uint16_t>(*model.target.data_port + i);
        }
        if (flow.options.source_port) {
            flow.options.source_port = *model.options.source_port + i;
        }
    }
    return flows;
}

void read_start_spread(const CommandLine& line, UsageErrors& errors, std::vector<FlowSpec>& flows) {
    spread_starts(flows, errors.parsed(line, "--start-spread", parse_span).value_or(Nanos(0)));
}

void validate_all(const std::vector<FlowSpec>& flows, UsageErrors& errors, bool name_them) {
    for (const FlowSpec& flow : flows) {
        for (const std::string& error : validate(flow)) {
            errors.add(name_them ? "flow '" + flow.name + "': " + error : error);
        }
    }
}

}  // namespace

std::vector<FlowSpec> flows_from_options(const CommandLine& line, std::uint64_t seed, UsageErrors& errors,
                                         std::vector<std::string>& warnings) {
    FlowDraft draft;
    FlowSpec& model = draft.spec;
    model.seed = seed;
    read_target(line, errors, draft);
    read_processes(line, errors, draft);
    FlowDraft stop = read_stop_rule(line, errors);
    model.stop = stop.spec.stop;
    draft.drawn.volume = std::move(stop.drawn.volume);
    if (not line.has("--duration") and not line.has("--packets") and not line.has("--bytes")) {
        const bool search = line.has("--search");
        model.stop.duration = search ? kUsualTrial : kDefaultDuration;
        if (not search) {
            warnings.push_back("no --duration, --packets or --bytes was given: stopping after 10 s");
        }
    }
    read_keys(line, errors, draft, FlowKeyTurn::packet, FlowKeyTurn::usual);
    read_keys(line, errors, draft, FlowKeyTurn::count, FlowKeyTurn::port);
    read_parallel(line, errors, draft);
    check_ports(draft, errors);
    if (errors.none()) {
        model.name = "flow";
        model.id = FlowId{1};
        draw_values(draft.drawn, model);
        validate_all({model}, errors, false);
    }
    std::vector<FlowSpec> flows = flows_of(draft);
    if (draft.drawn.start and errors.none()) {
        validate_all(flows, errors, true);
    }
    set_control_port(line, errors, flows);
    read_start_spread(line, errors, flows);
    return flows;
}

void override_experiment(const CommandLine& line, Experiment& experiment, UsageErrors& errors) {
    const auto test = line.value("--test");
    const std::string source = test ? "--test " + *test : line.words().front();
    for (const std::string_view option : sender_options(option_use::of_flow)) {
        if (line.has(option) and not(test and option == "--to")) {
            errors.add(std::string(option) + " describes a flow, but " + source +
                       " has its own flows: leave one of them out" +
                       (test ? ", or change its file (--test " + *test + " --print > FILE)" : ""));
        }
    }
    const FlowDraft stop = read_stop_rule(line, errors);
    const StopRule& rule = stop.spec.stop;
    for (FlowSpec& flow : experiment.flows) {
        flow.seed = experiment.seed;
        flow.stop.duration = rule.duration ? rule.duration : flow.stop.duration;
        flow.stop.packets = rule.packets ? rule.packets : flow.stop.packets;
        flow.stop.bytes = rule.bytes ? rule.bytes : flow.stop.bytes;
        draw_values(stop.drawn, flow);
    }
    set_control_port(line, errors, experiment.flows);
    read_start_spread(line, errors, experiment.flows);
    if (errors.none()) {
        validate_all(experiment.flows, errors, true);
    }
}

}  // namespace groma
