#include "sender/options/sender_options.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>

#include "common/base/nearest.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/core_list.hpp"
#include "common/cli/experiment_file.hpp"
#include "common/cli/mistakes.hpp"
#include "common/control/messages.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "sender/options/flow_options.hpp"
#include "sender/options/run_options.hpp"
#include "sender/options/sender_option_table.hpp"

namespace groma {

namespace {

constexpr double kLowestLogRate = 64'000;
constexpr std::uint64_t kSmallestSpool = 64U << 10U;

DryRunFormat parse_dry_run_format(std::string_view text) {
    if (text == "text") {
        return DryRunFormat::text;
    }
    if (text == "json") {
        return DryRunFormat::json_lines;
    }
    throw UsageError("unknown format '" + std::string(text) + "' (use text or json)");
}

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

LogTransport parse_shipping(std::string_view text) {
    const auto transport = parse_log_transport(text);
    if (not transport or *transport == LogTransport::mpi) {
        throw UsageError("unknown log transport '" + std::string(text) + "' (use tcp or udp" +
                         (transport ? "; mpi works in groma-mpi only)" : ")"));
    }
    return *transport;
}

std::uint64_t parse_log_rate(std::string_view text) {
    const Rate rate = parse_rate(text);
    const auto* bits = std::get_if<BitRate>(&rate);
    if (bits == nullptr or bits->bps < kLowestLogRate) {
        throw UsageError("'" + std::string(text) + "' is not a rate for a log: use bits per second, such as 10Mbps");
    }
    return static_cast<std::uint64_t>(bits->bps / 8);
}

std::uint64_t parse_spool_limit(std::string_view text) {
    const Bytes limit = parse_bytes(text);
    if (limit.count < kSmallestSpool) {
        throw UsageError("'" + std::string(text) + "' is too small for a spool: use 64KiB or more");
    }
    return limit.count;
}

void read_shipping(const CommandLine& line, Mistakes& mistakes, SenderOptions& options) {
    options.log_transport = mistakes.parsed(line, "--log-transport", parse_shipping);
    options.receiver_log_transport = options.log_transport;
    if (line.has("--receiver-log-transport")) {
        options.receiver_log_transport = mistakes.parsed(line, "--receiver-log-transport", parse_shipping);
    }
    options.log_rate = mistakes.parsed(line, "--log-rate", parse_log_rate);
    options.spool_dir = line.value("--spool-dir").value_or("");
    options.shipping.spool_bytes =
        mistakes.parsed(line, "--spool-limit", parse_spool_limit).value_or(options.shipping.spool_bytes);
}

void read_logs(const CommandLine& line, Mistakes& mistakes, SenderOptions& options) {
    options.log = line.value("--log").value_or("");
    options.replace_log = line.has("--force");
    if (options.replace_log and options.log.empty()) {
        mistakes.add("--force requires --log FILE");
    }
    options.receiver_log = line.value("--receiver-log").value_or("");
    options.log_server = mistakes.parsed(line, "--log-server", parse_log_server);
    options.receiver_log_server = options.log_server;
    if (line.value("--receiver-log-server") == "none") {
        options.receiver_log_server.reset();
    } else if (line.has("--receiver-log-server")) {
        options.receiver_log_server = mistakes.parsed(line, "--receiver-log-server", parse_log_server);
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

/// "PORT", "ADDRESS", "ADDRESS:PORT", "[V6]:PORT".
std::vector<SocketAddress> parse_passive(std::string_view text) {
    const bool digits = not text.empty() and text.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits) {
        std::uint16_t port = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
        if (error != std::errc()) {
            throw UsageError("'" + std::string(text) + "' is not a port: use a number from 0 to 65535");
        }
        return {SocketAddress::from_literal("0.0.0.0", port), SocketAddress::from_literal("::", port)};
    }
    const Target target = parse_target(text, kDialPort);
    return {SocketAddress::from_literal(target.host, target.control_port)};
}

Nanos parse_passive_wait(std::string_view text) {
    const Nanos wait = parse_duration(text);
    if (wait < std::chrono::seconds(1) or wait > std::chrono::hours(24)) {
        throw UsageError("'" + std::string(text) + "' is out of range: use a time from 1s to 24h");
    }
    return wait;
}

/// Why flows cannot go to a receiver that dials.
std::string fault_of_dialled(const FlowSpec& flow) {
    const std::string name = "flow '" + flow.name + "': ";
    if (not traits(flow.transport).dialled) {
        return name + "--passive cannot send " + std::string(traits(flow.transport).title) +
               ": a NAT lets in what answers a connection or a datagram of UDP; use udp, udplite, tcp, mptcp, sctp, "
               "dccp";
    }
    if (not flow.options.source.empty()) {
        return name + "--passive sends from the address that the receiver has dialled: leave out the source";
    }
    if (not flow.also_to.empty()) {
        return name + "--passive sends a flow to one receiver: multicast does not pass a NAT";
    }
    return {};
}

void read_passive(const CommandLine& line, Mistakes& mistakes, SenderOptions& options) {
    if (not line.has("--passive")) {
        for (const char* option : {"--passive-wait", "--passive-any-source"}) {
            if (line.has(option)) {
                mistakes.add(std::string(option) + " requires --passive");
            }
        }
        return;
    }
    PassiveOptions& passive = options.passive.emplace();
    passive.listen = mistakes.parsed(line, "--passive", parse_passive).value_or(passive.listen);
    passive.wait = mistakes.parsed(line, "--passive-wait", parse_passive_wait).value_or(passive.wait);
    passive.any_source = line.has("--passive-any-source");
    for (const FlowSpec& flow : options.experiment.flows) {
        if (std::string fault = fault_of_dialled(flow); not fault.empty()) {
            mistakes.add(std::move(fault));
        }
    }
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
    if (const auto timeout = mistakes.parsed(line, "--timeout", parse_timeout)) {
        const TimeLimits limits = TimeLimits::with_timeout(*timeout);
        options.times = limits.session;
        options.shipping.times = limits.shipping;
    }
    if (auto daemon = read_daemon(line, mistakes)) {
        mistakes.throw_if_any();
        options.action = Action::daemon;
        options.daemon = *std::move(daemon);
        options.spool_dir = line.value("--spool-dir").value_or("");
        options.quiet = line.has("--quiet");
        return options;
    }
    options.via = read_via(line, mistakes);
    options.threads = mistakes.parsed(line, "--threads", parse_threads).value_or(options.threads);
    options.pin = mistakes.parsed(line, "--pin", parse_cores).value_or(options.pin);
    options.realtime = line.has("--realtime");
    options.block_records = mistakes.number(line, "--log-block", 1, kMaxBlockRecords).value_or(kMaxBlockRecords);
    options.wait = mistakes.parsed(line, "--wait", parse_wait).value_or(options.wait);
    options.signal_line = line.value("--signal-line").value_or("");
    if (line.has("--dry-run")) {
        options.action = Action::dry_run;
        options.dry_run_format = mistakes.parsed(line, "--dry-run", parse_dry_run_format).value_or(DryRunFormat::text);
    }
    options.json = line.has("--json");
    options.json_file = line.value("--json").value_or("");
    options.quiet = line.has("--quiet");
    read_logs(line, mistakes, options);
    read_shipping(line, mistakes, options);
    if (line.has("--resume-spool")) {
        mistakes.throw_if_any();
        options.action = Action::resume_spool;
        return options;
    }
    options.calibration = read_calibration(line, mistakes);
    if (options.calibration) {
        mistakes.throw_if_any();
        options.action = Action::calibrate;
        return options;
    }
    options.experiment = read_experiment(line, fresh_seed, mistakes, options.remarks);
    options.as = line.value("--as").value_or("");
    keep_own_flows(options, mistakes);
    read_passive(line, mistakes, options);
    mistakes.throw_if_any();
    return options;
}

}  // namespace groma
