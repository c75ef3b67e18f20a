// The reading half of common/control/messages.hpp. Texts are hostile.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/json_fields.hpp"
#include "common/control/message_limits.hpp"
#include "common/control/messages.hpp"
#include "common/model/flow_json.hpp"

namespace groma {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMax16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMax64 = std::numeric_limits<std::uint64_t>::max();

std::uint32_t number32(const JsonFields& fields, const char* name) {
    return static_cast<std::uint32_t>(fields.number(name, 0, kMax32));
}

FlowId flow_at(const json& row) {
    const std::uint64_t value = number_at(row, 0, "flow");
    if (value == 0 or value > kMax32) {
        throw UsageError("'flow' must be a whole number from 1 to " + std::to_string(kMax32));
    }
    return FlowId{static_cast<std::uint32_t>(value)};
}

WallTime wall_time_at(const json& row, std::size_t index, const char* what) {
    const std::uint64_t ns = number_at(row, index, what);
    if (ns > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        throw UsageError(std::string("'") + what + "' must be nanoseconds since 1970");
    }
    return wall_time_from_ns(static_cast<std::int64_t>(ns));
}

std::string run_id(const JsonFields& fields) {
    std::string id = fields.text("run_id", kLongestName);
    constexpr std::string_view kHexDigits = "0123456789abcdef";
    if (id.size() != 32 or id.find_first_not_of(kHexDigits) != std::string::npos) {
        throw UsageError("'run_id' must be 32 hexadecimal digits");
    }
    return id;
}

Message parse_hello(const JsonFields& fields) {
    Hello hello{.lowest_version = number32(fields, "lowest_version"),
                .highest_version = number32(fields, "highest_version"),
                .program = fields.text("program", kLongestName),
                .run_id = run_id(fields),
                .experiment = fields.text("experiment", kLongestName),
                .host = fields.text("host", kLongestName),
                .seed = fields.number("seed", 0, kMax64)};
    if (hello.lowest_version > hello.highest_version) {
        throw UsageError("'lowest_version' must not be above 'highest_version'");
    }
    return hello;
}

std::map<std::string, std::string> parse_about(const json& object) {
    if (not object.is_object() or object.empty() or object.size() > kMostFacts) {
        throw UsageError("'about' must be an object of 1 to " + std::to_string(kMostFacts) + " texts");
    }
    const JsonFields fields(object);
    std::map<std::string, std::string> about;
    for (const auto& member : object.items()) {
        if (member.key().size() > kLongestName) {
            throw UsageError("a name in 'about' must have at most " + std::to_string(kLongestName) + " bytes");
        }
        about[member.key()] = fields.text(member.key().c_str(), kLongestReason);
    }
    return about;
}

Message parse_welcome(const JsonFields& fields) {
    Welcome welcome{.version = number32(fields, "version"),
                    .program = fields.text("program", kLongestName),
                    .host = fields.text("host", kLongestName),
                    .boot_id = fields.text("boot_id", kLongestName)};
    if (fields.has("clock")) {
        welcome.clock = clock_health_from_json(fields.at("clock"));
    }
    if (fields.has("about")) {
        welcome.about = parse_about(fields.at("about"));
    }
    return welcome;
}

std::vector<DialTarget> parse_dial(const JsonFields& fields, std::size_t flows) {
    std::vector<DialTarget> targets;
    for (const json& row : fields.array("dial", kMaxFlowsPerMessage)) {
        const std::uint64_t port = number_at(row, 0, "port");
        if (port == 0 or port > kMax16) {
            throw UsageError("'port' must be a whole number from 1 to 65535");
        }
        targets.push_back({.port = static_cast<std::uint16_t>(port),
                           .token = token_from_hex(text_at(row, 1, "token", kLongestName))});
    }
    if (targets.size() != flows) {
        throw UsageError("'dial' must have as many elements as 'flows'");
    }
    return targets;
}

Message parse_open_flows(const JsonFields& fields) {
    OpenFlows open;
    for (const json& flow : fields.array("flows", kMaxFlowsPerMessage)) {
        open.flows.push_back(flow_spec_from_json(flow));
    }
    if (fields.has("dial")) {
        open.dial = parse_dial(fields, open.flows.size());
    }
    return open;
}

Message parse_flows_opened(const JsonFields& fields) {
    FlowsOpened opened;
    for (const json& row : fields.array("flows", kMaxFlowsPerMessage)) {
        const std::uint64_t port = number_at(row, 1, "port");
        if (port == 0 or port > kMax16) {
            throw UsageError("'port' must be a whole number from 1 to 65535");
        }
        opened.flows.push_back({.flow = flow_at(row),
                                .port = static_cast<std::uint16_t>(port),
                                .remark = row.size() > 2 ? text_at(row, 2, "remark", kLongestReason) : ""});
    }
    return opened;
}

Message parse_probe_request(const JsonFields& fields) {
    return ProbeRequest{.number = number32(fields, "number")};
}

Message parse_probe_reply(const JsonFields& fields) {
    return ProbeReply{.number = number32(fields, "number"),
                      .received = wall_time_from_ns(fields.signed_number("received_ns")),
                      .answered = wall_time_from_ns(fields.signed_number("answered_ns"))};
}

Message parse_start(const JsonFields& fields) {
    return Start{.log_file = fields.text("log_file", kLongestName),
                 .log_server = fields.text("log_server", kLongestName),
                 .log_transport = fields.text("log_transport", kLongestName),
                 .log_name = fields.has("log_name") ? fields.text("log_name", kLongestName) : "",
                 .discard_log = fields.has("discard_log") and fields.flag("discard_log")};
}

Message parse_started(const JsonFields& fields) {
    return Started{.log_file = fields.text("log_file", kLongestPath)};
}

Message parse_keep_alive(const JsonFields&) {
    return KeepAlive{};
}

Message parse_finish(const JsonFields& fields) {
    const auto longest = static_cast<std::uint64_t>(kLongestWait.count());
    Finish finish{.interrupted = fields.flag("interrupted"),
                  .wait = Nanos{static_cast<Nanos::rep>(fields.number("wait_ns", 0, longest))},
                  .flows = {}};
    for (const json& row : fields.array("flows", kMaxFlowsInResults)) {
        finish.flows.push_back(
            {.flow = flow_at(row), .packets = number_at(row, 1, "packets"), .bytes = number_at(row, 2, "bytes")});
    }
    return finish;
}

LogShipment parse_shipment(const json& object) {
    try {
        const JsonFields fields(object);
        return {.to = fields.text("to", kLongestReason),
                .reconnections = fields.number("reconnections", 0, kMax64),
                .largest_backlog = fields.number("largest_backlog", 0, kMax64),
                .not_spooled = fields.number("not_spooled", 0, kMax64),
                .trouble = fields.text("trouble", kLongestReason)};
    } catch (const UsageError& error) {
        throw UsageError(std::string("'shipment' must be whole: ") + error.what());
    }
}

CpuUsage parse_usage(const json& object) {
    constexpr std::uint64_t kLongest = std::uint64_t{1} << 62U;
    try {
        const JsonFields fields(object);
        const auto span = [&fields](const char* name) {
            return Nanos{static_cast<Nanos::rep>(fields.number(name, 0, kLongest))};
        };
        return {.user = span("user_ns"),
                .system = span("system_ns"),
                .voluntary_switches = fields.number("voluntary_switches", 0, kMax64),
                .involuntary_switches = fields.number("involuntary_switches", 0, kMax64)};
    } catch (const UsageError& error) {
        throw UsageError(std::string("'usage' must be whole: ") + error.what());
    }
}

GroReason gro_reason_at(const json& row, std::size_t index) {
    const std::uint64_t reason = number_at(row, index, "why");
    if (reason > static_cast<std::uint64_t>(GroReason::drops)) {
        throw UsageError("'why' must be a reason for GRO, 0 to 2");
    }
    return static_cast<GroReason>(reason);
}

/// Rows of a flow, packets, since (ns) and why, in the order of the flows.
void parse_coalescing(const json& rows, std::vector<ReceivedFlow>& flows) {
    auto flow = flows.begin();
    for (const json& row : rows) {
        const FlowId id = flow_at(row);
        flow = std::find_if(flow, flows.end(), [id](const ReceivedFlow& one) { return one.flow == id; });
        if (flow == flows.end()) {
            throw UsageError("'coalescing' must name flows of 'flows', in their order");
        }
        flow->coalescing = Coalescing{.packets = number_at(row, 1, "packets"),
                                      .since = wall_time_at(row, 2, "since"),
                                      .why = gro_reason_at(row, 3)};
    }
}

Message parse_results(const JsonFields& fields) {
    ReceiverResults results{.flows = {}, .log_error = fields.text("log_error", kLongestReason), .shipment = {}};
    if (fields.has("shipment")) {
        results.shipment = parse_shipment(fields.at("shipment"));
    }
    if (fields.has("usage")) {
        results.usage = parse_usage(fields.at("usage"));
    }
    for (const json& row : fields.array("flows", kMaxFlowsInResults)) {
        results.flows.push_back({.flow = flow_at(row),
                                 .packets = number_at(row, 1, "packets"),
                                 .bytes = number_at(row, 2, "bytes"),
                                 .duplicates = number_at(row, 3, "duplicates"),
                                 .reordered = number_at(row, 4, "reordered"),
                                 .foreign = number_at(row, 5, "foreign"),
                                 .malformed = number_at(row, 6, "malformed"),
                                 .kernel_drops = number_at(row, 7, "kernel_drops"),
                                 .records_lost = number_at(row, 8, "records_lost"),
                                 .replies = row.size() > 10 ? number_at(row, 10, "replies") : 0,
                                 .replies_lost = row.size() > 11 ? number_at(row, 11, "replies_lost") : 0,
                                 .state = text_at(row, 9, "state", kLongestName)});
    }
    if (fields.has("coalescing")) {
        parse_coalescing(fields.array("coalescing", kMaxFlowsInResults), results.flows);
    }
    return results;
}

Message parse_refused(const JsonFields& fields) {
    Refused refused{.reason = fields.text("reason", kLongestReason), .flow = std::nullopt};
    if (fields.has("flow")) {
        refused.flow = FlowId{number32(fields, "flow")};
    }
    return refused;
}

Message parse_call_in(const JsonFields& fields) {
    CallIn call{.program = fields.text("program", kLongestName), .name = fields.text("name", kLongestName)};
    if (call.name.empty()) {
        throw UsageError("'name' must not be empty");
    }
    return call;
}

/// In the order of kMessageTypes.
constexpr std::array<Message (*)(const JsonFields&), kMessageTypes.size()> kParsers{
    parse_hello,       parse_welcome, parse_open_flows, parse_flows_opened, parse_probe_request,
    parse_probe_reply, parse_start,   parse_started,    parse_keep_alive,   parse_finish,
    parse_results,     parse_refused, parse_call_in};

json parse_json(std::string_view text) {
    if (text.size() > kMaxMessageBytes) {
        throw UsageError("it is longer than " + std::to_string(kMaxMessageBytes) + " bytes");
    }
    if (json_depth(text) > kDeepestMessage) {
        throw UsageError("it is nested deeper than " + std::to_string(kDeepestMessage) + " levels");
    }
    json object = json::parse(text.begin(), text.end(), nullptr, false);
    if (object.is_discarded()) {
        throw UsageError("it is no JSON");
    }
    return object;
}

Message parse_typed(std::string_view text, std::string& type) {
    const json object = parse_json(text);
    const JsonFields fields(object);
    const std::string name = fields.text("type", kLongestName);
    const auto* const found = std::find(kMessageTypes.begin(), kMessageTypes.end(), name);
    if (found == kMessageTypes.end()) {
        throw UsageError("this program knows no message '" + plain_text(name, 40) + "'");
    }
    type = "'" + name + "' ";
    return kParsers[static_cast<std::size_t>(found - kMessageTypes.begin())](fields);
}

}  // namespace

Message parse_message(std::string_view text, const std::string& peer) {
    std::string type;
    try {
        return parse_typed(text, type);
    } catch (const UsageError& error) {
        throw ProtocolError(peer, "sent a message " + type + "that cannot be read: " + error.what());
    }
}

}  // namespace groma
