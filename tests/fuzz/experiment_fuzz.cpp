// Untrusted experiment files: refused with messages that name a place in the file, or valid flows that are the same
// after a message to the receiver, and after an experiment file. This holds for all runs of a [batch], whose names are
// valid names of folders. After a zero byte come the lines of every file that the text names.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/experiment/batch.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/model/flow/flow_json.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/experiment_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "tests/fuzz/expect_message.hpp"
#include "tests/fuzz/lines_of_input.hpp"

namespace {

using namespace groma;  // a program of one file

constexpr std::string_view kFile = "folder/office.toml";
constexpr std::size_t kMaxNameBytes = 100;

/// A number from 1 to 1000, which also stands for larger ones.
std::size_t number(const Setting& setting) {
    constexpr std::size_t kMostDigits = 3;
    if (setting.kind != Setting::Kind::integer or setting.text.starts_with('-')) {
        return 1;
    }
    return setting.text.size() > kMostDigits ? 1000 : std::max<std::size_t>(std::stoul(setting.text), 1);
}

std::size_t count_of(const Section& flow, std::size_t otherwise) {
    const auto count = flow.settings.find("count");
    return count == flow.settings.end() ? otherwise : number(count->second);
}

/// Equal flows and runs are alike, and many of them take long.
bool is_short(const ExperimentText& text) {
    constexpr std::size_t kMostFlows = 100;
    std::size_t flows = 1;
    for (const Section& flow : text.flows) {
        flows += count_of(flow, count_of(text.defaults, 1));
    }
    if (text.batch) {
        for (const auto& [key, list] : text.batch->settings) {
            std::size_t times = list.values.size();
            for (const Setting& value : list.values) {
                times *= key == "flows" or key == "repetitions" ? number(value) : 1;
            }
            flows = std::min(flows, kMostFlows) * std::max<std::size_t>(times, 1);
        }
    }
    return flows <= kMostFlows;
}

std::string in_quotes(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', true);  // TOML has the same escapes
}

/// How a flow names its receiver: by the alias that it came from, if it did.
std::string to_text(const FlowSpec& spec, const Experiment& experiment) {
    const auto host = std::ranges::find(experiment.hosts, spec.to_host, &ExperimentHost::alias);
    std::string text = host == experiment.hosts.end() ? to_string(spec.target)
                       : spec.target.control_port == host->target.control_port
                           ? spec.to_host
                           : to_string(Target{spec.to_host, spec.target.control_port, {}});
    for (const Target& one : spec.also_to) {
        text.append(", ").append(to_string(one));
    }
    return text;
}

void append(std::string& text, std::string_view key, std::string_view value) {
    text += fmt::format("{} = {}\n", key, in_quotes(value));
}

void append(std::string& text, const FlowSpec& spec, const Experiment& experiment) {
    text += "[[flow]]\n";
    append(text, "name", spec.name);
    append(text, "to", to_text(spec, experiment));
    append(text, "transport", to_string(spec.transport));
    append(text, "idt", idt_to_string(spec.idt));
    append(text, "size", size_to_string(spec.size));
    append(text, "start", duration_to_string(spec.start_delay));
    append(text, "meter", spec.meter == Meter::round_trip ? "round-trip" : "one-way");
    append(text, "lateness", to_string(spec.lateness));
    append(text, "header",
           spec.header == HeaderLevel::full       ? "full"
           : spec.header == HeaderLevel::sequence ? "sequence"
                                                  : "none");
    if (not spec.profile.empty()) {
        append(text, "profile", spec.profile);
    }
    if (not spec.from_host.empty()) {
        append(text, "from", spec.from_host);
    }
    if (not spec.payload.empty()) {
        append(text, "payload", spec.payload);
    }
    if (spec.on_off) {
        append(text, "on", period_to_string(spec.on_off->on));
        append(text, "off", period_to_string(spec.on_off->off));
    }
    if (spec.stop.duration) {
        append(text, "duration", duration_to_string(*spec.stop.duration));
    }
    if (spec.stop.bytes) {
        append(text, "bytes", std::to_string(spec.stop.bytes->count));
    }
    if (spec.stop.packets) {
        text += fmt::format("packets = {}\n", *spec.stop.packets);
    }
    if (spec.target.data_port) {
        text += fmt::format("port = {}\n", *spec.target.data_port);
    }
    for (const TransportOptionRow& row : transport_option_rows()) {
        if (const auto value = row.get(spec.options)) {
            append(text, row.key, *value);
        }
    }
}

std::string to_toml(const Experiment& experiment) {
    std::string text;
    append(text, "name", experiment.name);
    if (experiment.seed_given) {
        text += fmt::format("seed = {}\n", *experiment.seed_given);
    }
    text += "[hosts]\n";
    for (const ExperimentHost& host : experiment.hosts) {
        append(text, in_quotes(host.alias), to_string(host.target));
    }
    text += "[ranks]\n";
    for (const auto& [host, rank] : experiment.ranks) {
        text += fmt::format("{} = {}\n", in_quotes(host), rank);
    }
    text += "[require]\n";
    for (const Requirement& one : experiment.required) {
        const std::string limit = to_string(std::vector{one});
        append(text, in_quotes(row_of(one.figure).word), limit.substr(limit.find('=') + 1));
    }
    for (const FlowSpec& spec : experiment.flows) {
        append(text, spec, experiment);
    }
    return text;
}

/// Whether a name could be an alias as well as a host: no other text leads there for sure.
bool is_ambiguous(const Experiment& experiment) {
    const auto is_alias = [&](const std::string& name) {
        return std::ranges::find(experiment.hosts, name, &ExperimentHost::alias) != experiment.hosts.end();
    };
    return std::ranges::any_of(experiment.hosts,
                               [&](const ExperimentHost& host) {
                                   return host.alias.find_first_of(":,") != std::string::npos or
                                          is_alias(host.target.host);
                               }) or
           std::ranges::any_of(experiment.flows, [&](const FlowSpec& spec) {
               return is_alias(spec.target.host) or
                      std::ranges::any_of(spec.also_to, [&](const Target& one) { return is_alias(one.host); });
           });
}

void expect_sound(const Experiment& experiment, const NamedFiles& files) {
    check(not experiment.name.empty() and experiment.name.size() <= kMaxNameBytes, "an experiment has a name");
    std::set<std::string_view> names;
    std::uint32_t id = 0;
    for (const FlowSpec& spec : experiment.flows) {
        check(spec.id == FlowId{++id} and spec.seed == experiment.seed, "flows are numbered, of one seed");
        check(names.insert(spec.name).second, "two flows have one name");
        check(validate(spec).empty(), "a flow has an error");
        check(spec.start_delay >= Nanos{0}, "a flow starts before the run");
        FlowSpec told = from_json<FlowSpec>(nlohmann::json::parse(to_json(spec).dump()));
        told.from_host = spec.from_host;  // not sent to receivers
        told.to_host = spec.to_host;
        check(told == spec, "a flow is lost on its way to the receiver");
    }
    if (not is_ambiguous(experiment)) {
        check(parse_experiment(to_toml(experiment), std::string(kFile), files, experiment.seed) == experiment,
              "an experiment is lost in its text");
    }
}

void expect_sound(const Batch& batch, const NamedFiles& files) {
    std::set<std::string_view> names;
    std::set<std::uint64_t> seeds;
    for (const BatchRun& run : batch.runs()) {
        constexpr std::string_view kOfFolders = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
        constexpr std::size_t kMaxFolderBytes = 110;
        check(run.name.find_first_not_of(kOfFolders) == std::string::npos and run.name.size() <= kMaxFolderBytes and
                  not run.name.starts_with('.'),
              "a run's name is no folder's");
        check(names.insert(run.name).second, "two runs have one folder");
        check(seeds.insert(run.seed).second, "two runs draw the same");
        check(not run.planned or *run.planned >= Nanos{0}, "a run ends before it begins");
        const Experiment experiment = batch.experiment(run);
        check(experiment.seed == run.seed and experiment.seed_given == run.seed, "a run has another seed");
        expect_sound(experiment, files);
    }
}

void expect_places(const ParseError& wrong, std::string_view text) {
    const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1;
    for (const TextError& error : wrong.errors()) {
        expect_message(error.what);
        check(error.line <= lines and (error.line == 0) == (error.column == 0), "an error is not in the file");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::string_view text = input.substr(0, input.find('\0'));
    const NamedFiles files = lines_of_input(input, "/experiments");
    try {
        ExperimentText sections = read_experiment_text(text, std::string(kFile));
        if (not is_short(sections)) {
            return -1;  // no corpus needs it
        }
        if (sections.batch) {
            expect_sound(Batch(std::move(sections), std::string(kFile), files, 1), files);
        } else {
            expect_sound(build_experiment(std::move(sections), std::string(kFile), files, 1), files);
        }
    } catch (const ParseError& error) {
        expect_places(error, text);
    }
    return 0;
}
