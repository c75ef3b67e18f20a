#include "sender/options/flow_options.hpp"

#include <chrono>
#include <limits>
#include <optional>
#include <utility>

#include "common/cli/experiment_file.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/profiles.hpp"
#include "common/model/flow/start_spread.hpp"
#include "common/model/text/quantity_text.hpp"
#include "sender/options/option_rows.hpp"
#include "sender/options/sender_option_table.hpp"
#include "sender/plan/receiver_plan.hpp"

namespace groma {

namespace {

constexpr Nanos kDefaultDuration = std::chrono::seconds(10);
constexpr std::uint64_t kMostPorts = 65'535;
constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

/// A span that may lie ahead, but not behind.
Nanos parse_span(std::string_view text) {
    const Nanos span = parse_duration(text);
    if (span < Nanos(0)) {
        throw UsageError("'" + std::string(text) + "' is negative");
    }
    return span;
}

// Files of values that are named on the command line lie where the user is.
Distribution idt_of(std::string_view text) {
    return parse_idt(text, named_files_in({}));
}

Distribution size_of(std::string_view text) {
    return parse_size(text, named_files_in({}));
}

std::string payload_of(std::string_view text) {
    return parse_payload(text, named_files_in({}));
}

Distribution period_of(std::string_view text) {
    return parse_period(text, named_files_in({}));
}

/// The stop rules on the command line.
StopRule read_stop_rule(const CommandLine& line, Mistakes& mistakes) {
    const auto duration = mistakes.parsed(line, "--duration", parse_duration);
    const auto packets = mistakes.number(line, "--packets", 1, kUnbounded);
    const auto bytes = mistakes.parsed(line, "--bytes", parse_bytes);
    if (duration and *duration <= Nanos(0)) {
        mistakes.add("--duration: it must be longer than 0");
    }
    if (bytes and bytes->count == 0) {
        mistakes.add("--bytes: it must be more than 0");
    }
    return StopRule{duration, packets, bytes};
}

void read_transport(const CommandLine& line, Mistakes& mistakes, FlowSpec& spec) {
    spec.transport = mistakes.parsed(line, "--transport", parse_transport).value_or(spec.transport);
    for (const TransportOption& option : transport_options()) {
        mistakes.parsed(line, option.name, [&](std::string_view text) {
            option.row.set(spec.options, text);
            return true;
        });
    }
}

void read_processes(const CommandLine& line, Mistakes& mistakes, FlowSpec& spec) {
    if (const auto name = line.value("--profile")) {
        try {
            apply(profile(*name), spec);
        } catch (const UsageError& error) {
            mistakes.add(std::string("--profile: ") + error.what());
        }
    }
    read_transport(line, mistakes, spec);
    spec.idt = mistakes.parsed(line, "--idt", idt_of).value_or(spec.idt);
    spec.size = mistakes.parsed(line, "--size", size_of).value_or(spec.size);
    auto on = mistakes.parsed(line, "--on", period_of);
    auto off = mistakes.parsed(line, "--off", period_of);
    if (on and off) {
        spec.on_off = OnOff{*std::move(on), *std::move(off)};
    } else if (line.has("--on") != line.has("--off")) {
        mistakes.add(line.has("--on") ? "--on needs --off: the periods in which nothing departs"
                                      : "--off needs --on: the periods in which packets depart");
    }
}

void read_target(const CommandLine& line, Mistakes& mistakes, FlowSpec& spec) {
    if (not line.has("--to") and line.has("--passive")) {
        spec.target.host = kWhoeverCalls;
        return;
    }
    if (not line.has("--to")) {
        mistakes.add("nowhere to send to: name a receiver (--to HOST[:PORT]) or an experiment file");
        return;
    }
    mistakes.parsed(line, "--to", [&](std::string_view text) {
        set_receivers(spec, text);
        return true;
    });
}

void set_control_port(const CommandLine& line, Mistakes& mistakes, std::vector<FlowSpec>& flows) {
    const auto port = mistakes.number(line, "--control-port", 1, kMostPorts);
    for (FlowSpec& flow : flows) {
        if (port and flow.target.control_port == Target().control_port) {
            flow.target.control_port = static_cast<std::uint16_t>(*port);
        }
    }
}

std::vector<FlowSpec> copies(const FlowSpec& model, std::uint64_t count) {
    std::vector<FlowSpec> flows(count, model);
    for (std::uint32_t i = 0; i < count; ++i) {
        FlowSpec& flow = flows[i];
        flow.id = FlowId{i + 1};
        flow.name = count == 1 ? "flow" : "flow-" + std::to_string(i + 1);
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

void read_start_spread(const CommandLine& line, Mistakes& mistakes, std::vector<FlowSpec>& flows) {
    spread_starts(flows, mistakes.parsed(line, "--start-spread", parse_span).value_or(Nanos(0)));
}

void validate_all(const std::vector<FlowSpec>& flows, Mistakes& mistakes, bool name_them) {
    for (const FlowSpec& flow : flows) {
        for (const std::string& fault : validate(flow)) {
            mistakes.add(name_them ? "flow '" + flow.name + "': " + fault : fault);
        }
    }
}

}  // namespace

std::vector<FlowSpec> flows_from_options(const CommandLine& line, std::uint64_t seed, Mistakes& mistakes,
                                         std::vector<std::string>& remarks) {
    FlowSpec model;
    model.seed = seed;
    read_target(line, mistakes, model);
    read_processes(line, mistakes, model);
    model.stop = read_stop_rule(line, mistakes);
    if (not line.has("--duration") and not line.has("--packets") and not line.has("--bytes")) {
        model.stop.duration = kDefaultDuration;
        remarks.push_back("no --duration, --packets or --bytes was given: stopping after 10 s");
    }
    model.header = mistakes.parsed(line, "--header", parse_header).value_or(model.header);
    model.meter = mistakes.parsed(line, "--meter", parse_meter).value_or(model.meter);
    model.lateness = mistakes.parsed(line, "--lateness", parse_lateness).value_or(model.lateness);
    model.payload = mistakes.parsed(line, "--payload", payload_of).value_or(model.payload);
    model.start_delay = mistakes.parsed(line, "--start", parse_span).value_or(Nanos(0));
    const auto count = mistakes.number(line, "--flows", 1, kMostFlows).value_or(1);
    const auto port = mistakes.number(line, "--port", 1, kMostPorts);
    const auto ports = model.options.association ? 1 : count;
    if (port and *port + ports - 1 > kMostPorts) {
        mistakes.add("--port: " + std::to_string(count) + " flows from port " + std::to_string(*port) +
                     " on would need ports beyond 65535");
    } else if (port) {
        model.target.data_port = static_cast<std::uint16_t>(*port);
    }
    if (model.options.source_port and *model.options.source_port + ports - 1 > kMostPorts) {
        mistakes.add("--source-port: " + std::to_string(count) + " flows from port " +
                     std::to_string(*model.options.source_port) + " on would need ports beyond 65535");
    }
    if (mistakes.none()) {
        model.name = "flow";
        validate_all({model}, mistakes, false);
    }
    std::vector<FlowSpec> flows = copies(model, count);
    set_control_port(line, mistakes, flows);
    read_start_spread(line, mistakes, flows);
    return flows;
}

void override_experiment(const CommandLine& line, Experiment& experiment, Mistakes& mistakes) {
    for (const std::string_view option : sender_options(option_use::of_flow)) {
        if (line.has(option)) {
            mistakes.add(std::string(option) + " describes a flow, but " + line.words().front() +
                         " has its own flows: leave one of them out");
        }
    }
    const StopRule rule = read_stop_rule(line, mistakes);
    for (FlowSpec& flow : experiment.flows) {
        flow.seed = experiment.seed;
        flow.stop.duration = rule.duration ? rule.duration : flow.stop.duration;
        flow.stop.packets = rule.packets ? rule.packets : flow.stop.packets;
        flow.stop.bytes = rule.bytes ? rule.bytes : flow.stop.bytes;
    }
    set_control_port(line, mistakes, experiment.flows);
    read_start_spread(line, mistakes, experiment.flows);
    if (mistakes.none()) {
        validate_all(experiment.flows, mistakes, true);
    }
}

}  // namespace groma
