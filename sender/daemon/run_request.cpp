#include "sender/daemon/run_request.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/control/messages.hpp"
#include "common/log/log_name.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/transport/port_range.hpp"
#include "common/shipping/spool/spool_folders.hpp"
#include "sender/plan/receiver_plan.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostErrors = 20;
constexpr std::uint32_t kMostThreads = 256;

std::string text_of(const std::optional<LogServerAddress>& server) {
    return server ? to_string(*server) : "";
}

std::string text_of(const std::optional<LogTransport>& transport) {
    return transport ? std::string(to_string(*transport)) : "";
}

/// Errors of a request, limited to a readable number.
class RequestErrors {
public:
    void add(const std::string& sentence) {
        if (++count_ <= kMostErrors) {
            errors_.add(plain_text(sentence));
        }
    }

    void throw_if_any() {
        if (count_ > kMostErrors) {
            errors_.add("and " + std::to_string(count_ - kMostErrors) + " more");
        }
        errors_.throw_if_any();
    }

    template <typename Parse>
    auto parsed(const std::string& text, const char* what, Parse parse) -> std::optional<decltype(parse(text))> {
        if (text.empty()) {
            return std::nullopt;
        }
        try {
            return parse(text);
        } catch (const UsageError& error) {
            add(std::string(what) + ": " + error.what());
            return std::nullopt;
        }
    }

private:
    UsageErrors errors_;
    std::size_t count_ = 0;
};

LogTransport transport_of(const std::string& text) {
    const auto transport = parse_log_transport(text);
    if (not transport or *transport == LogTransport::mpi) {
        throw UsageError("unknown log transport '" + text + "' (use tcp or udp)");
    }
    return *transport;
}

void check_flows(const std::vector<FlowSpec>& flows, const DaemonLimits& limits, RequestErrors& errors) {
    if (flows.empty() or flows.size() > limits.max_flows) {
        errors.add("this daemon takes 1 to " + std::to_string(limits.max_flows) + " flows in a run, not " +
                   std::to_string(flows.size()));
        return;
    }
    std::set<FlowId> ids;
    for (const FlowSpec& flow : flows) {
        const std::string name = "flow '" + flow.name + "': ";
        if (flow.id.value == 0 or not ids.insert(flow.id).second) {
            errors.add(name + "its number " + std::to_string(flow.id.value) + " is not its own, from 1 on");
        }
        for (const std::string& error : validate(flow)) {
            errors.add(name + error);
        }
        if (flow.payload.starts_with("file:") or flow.payload.starts_with("pcap:")) {
            errors.add(name + "payload " + flow.payload +
                       " is on the disk of the daemon's host, which requests do not read: use random, zero or "
                       "pattern:HEX");
        }
    }
}

/// The ports of this side of the flow.
void keep_to(const PortRange& ports, FlowSpec& flow, RequestErrors& errors) {
    const auto outside = [&ports](std::optional<std::uint32_t> port) {
        return port and (*port < ports.first or *port > ports.last);
    };
    if (outside(flow.target.data_port) or outside(flow.options.source_port) or flow.options.source_ports) {
        errors.add("flow '" + flow.name + "': this receiver gives away the ports " + to_string(ports) +
                   " only: ask for one of them, or for none");
    }
    if (not flow.target.data_port and not flow.options.source_port) {
        flow.options.source_ports = ports;
    }
}

/// Flows that come to the client, however it is reached.
void check_reverse(std::vector<FlowSpec>& flows, const DaemonLimits& limits, RequestErrors& errors) {
    for (FlowSpec& flow : flows) {
        if (std::string error = called_in_error(flow, "--reverse"); not error.empty()) {
            errors.add(error);
        }
        if (flow.direction != Direction::reverse or not flow.options.group.empty()) {
            errors.add("flow '" + flow.name + "': this receiver sends only to who asks for it (direction reverse)");
        }
        flow.target.host = std::string(kWhoeverCalls);
        if (limits.data_ports) {
            keep_to(*limits.data_ports, flow, errors);
        }
    }
}

std::string log_of(const std::string& name, const DaemonLimits& limits, RequestErrors& errors) {
    if (name.empty()) {
        return {};
    }
    if (limits.log_dir.empty()) {
        errors.add("this daemon keeps no logs (groma-send --daemon --log-dir DIR lets it): leave out the log");
        return {};
    }
    if (const std::string error = log_name_error(name); not error.empty()) {
        errors.add("log '" + plain_text(name, kMaxLogNameBytes) + "' " + error +
                   ": give a name, the daemon has its own folder of logs");
        return {};
    }
    const std::filesystem::path file = limits.log_dir / name;
    if (is_in_the_way_of_spools(file, limits.spool)) {
        errors.add("log '" + name + "' would stand where the daemon's spool belongs: give another name");
        return {};
    }
    std::error_code error;
    if (not limits.replace_logs and std::filesystem::exists(std::filesystem::symlink_status(file, error))) {
        errors.add("log '" + name + "' is there already: give another name" +
                   (limits.reverse ? ", or start groma-recv with --replace-logs" : ""));
    }
    return file.string();
}

}  // namespace

RunRequest request_of(const SenderOptions& options) {
    return {.experiment = options.experiment.name,
            .seed = options.experiment.seed,
            .threads = options.threads,
            .wait = options.wait,
            .log = options.log,
            .receiver_log = options.receiver_log,
            .log_server = text_of(options.log_server),
            .receiver_log_server = text_of(options.receiver_log_server),
            .log_transport = text_of(options.log_transport),
            .receiver_log_transport = text_of(options.receiver_log_transport),
            .log_rate = options.log_rate.value_or(0),
            .log_block = static_cast<std::uint32_t>(options.block_records),
            .require = to_string(options.experiment.required),
            .verbose = options.verbose,
            .fetch_log = options.logs_for_client.own,
            .fetch_receiver_logs = options.logs_for_client.receivers};
}

std::vector<OfferedKey> keys_of(const SenderOptions& options, bool in_reverse) {
    std::map<std::string, OfferedKey> keys;
    const auto offer = [&](const std::string& host) {
        const bool known = not options.key or keys.contains(host);
        if (const auto key = known ? std::nullopt : options.key->offered_to(host)) {
            keys.emplace(host, *key);
        }
    };
    if (options.log_server) {
        offer(options.log_server->host);
    }
    for (const FlowSpec& flow : in_reverse ? std::vector<FlowSpec>() : options.experiment.flows) {
        offer(flow.target.host);
        std::ranges::for_each(flow.also_to, offer, &Target::host);
    }
    if (keys.size() > kMostKeysOfRun) {
        throw RunError("a daemon proves keys to at most " + std::to_string(kMostKeysOfRun) +
                       " hosts in a run: spread them over several runs");
    }
    std::vector<OfferedKey> offered;
    offered.reserve(keys.size());
    for (auto& [host, key] : keys) {
        offered.push_back(std::move(key));
    }
    return offered;
}

std::vector<RunFlows> flows_in_pieces(const std::vector<FlowSpec>& flows) {
    std::vector<RunFlows> pieces;
    for (std::size_t done = 0; done < flows.size(); done += kMostFlowsInRunFlows) {
        const auto first = flows.begin() + static_cast<std::ptrdiff_t>(done);
        const auto count = static_cast<std::ptrdiff_t>(std::min(kMostFlowsInRunFlows, flows.size() - done));
        pieces.push_back({.flows = {first, first + count}});
    }
    return pieces;
}

SenderOptions options_of(const RunRequest& request, std::vector<FlowSpec> flows, const DaemonLimits& limits) {
    RequestErrors errors;
    SenderOptions options;
    options.realtime = Realtime::off;  // a client's runs must not take this host's cores from all others
    check_flows(flows, limits, errors);
    if (limits.reverse) {
        check_reverse(flows, limits, errors);
        options.passive.emplace();
    }
    if (not limits.reverse and
        not std::ranges::all_of(flows, [](const FlowSpec& flow) { return flow.direction == Direction::forward; })) {
        errors.add("this daemon makes no run in reverse: that is what groma-recv does");
    }
    if ((limits.reverse or not request.run_id.empty()) and not is_run_id(request.run_id)) {
        errors.add("the run's id must be 32 hexadecimal digits");
    }
    for (const std::string& name : {request.fetch_log, request.fetch_receiver_logs}) {
        if (const std::string error = name.empty() ? "" : log_name_error(name); not error.empty()) {
            errors.add("the log '" + plain_text(name, kMaxLogNameBytes) + "' at the client " + error);
        }
    }
    if ((not request.fetch_log.empty() and request.run_id.empty()) or
        (not request.fetch_receiver_logs.empty() and (request.fetch_log.empty() or limits.reverse))) {
        errors.add("only the logs of a part of a run go to the client, and those of receivers after the sender's");
    }
    options.logs_for_client = {.own = request.fetch_log, .receivers = request.fetch_receiver_logs};
    if (const std::string error = request.sender.empty() ? "" : log_name_error(request.sender); not error.empty()) {
        errors.add("the sender's name " + error);
    }
    if (const std::string error = log_name_error(request.experiment); not error.empty()) {
        errors.add("the experiment's name " + error);
    }
    options.experiment.name = request.experiment;
    options.experiment.seed = request.seed;
    options.verbose = request.verbose;
    options.experiment.required =
        errors.parsed(request.require, "require", parse_requirements).value_or(std::vector<Requirement>());
    options.experiment.flows = std::move(flows);
    if (request.threads > kMostThreads) {
        errors.add("threads: give 1 to " + std::to_string(kMostThreads) + ", or 0 for as many as the load asks for");
    }
    options.threads = request.threads;
    options.wait = request.wait;
    options.log = log_of(request.log, limits, errors);
    options.replace_log = limits.replace_logs;
    options.receiver_log = request.receiver_log;
    options.log_server = errors.parsed(request.log_server, "log server", [&limits](const std::string& text) {
        LogServerAddress server = parse_log_server(text);
        limits.log_servers.require(server);
        return server;
    });
    options.receiver_log_server = errors.parsed(request.receiver_log_server, "receivers' log server", parse_log_server);
    options.log_transport = errors.parsed(request.log_transport, "log transport", transport_of);
    options.receiver_log_transport =
        errors.parsed(request.receiver_log_transport, "receivers' log transport", transport_of);
    if (request.log_rate > 0) {
        options.log_rate = request.log_rate;
    }
    if (request.log_block == 0 or request.log_block > kMaxBlockRecords) {
        errors.add("log block: give 1 to " + std::to_string(kMaxBlockRecords));
    }
    options.block_records = request.log_block;
    options.spool_dir = limits.spool;
    options.for_client = true;
    options.bounds = SendBounds{.allow = limits.allow};
    options.handed_keys = request.keys;
    errors.throw_if_any();
    return options;
}

}  // namespace groma
