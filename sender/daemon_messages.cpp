#include "sender/daemon_messages.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/json_fields.hpp"
#include "common/control/message_limits.hpp"
#include "common/model/flow_json.hpp"

namespace groma {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMax64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kLongestText = std::size_t{64} << 10U;  ///< a reason with a line for each mistake
constexpr std::size_t kMostFailures = 1000;

/// In the order of the alternatives of DaemonMessage.
constexpr std::array<std::string_view, std::variant_size_v<DaemonMessage>> kTypes{
    "flows",    "run",    "stop",   "keep_alive", "accepted", "refused",
    "progress", "remark", "report", "ended",      "hello",    "welcome"};

/// At most so many bytes of a text, whole characters.
std::string_view head_of(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) {
        return text;
    }
    std::size_t end = longest;
    while (end > 0 and (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end > 0 ? end : longest);
}

json fields(const RunFlows& message) {
    json flows = json::array();
    for (const FlowSpec& flow : message.flows) {
        flows.push_back(to_json(flow));
    }
    return {{"flows", std::move(flows)}};
}

json fields(const RunRequest& request) {
    return {{"experiment", request.experiment},
            {"seed", request.seed},
            {"threads", request.threads},
            {"wait_ns", request.wait.count()},
            {"log", request.log},
            {"receiver_log", request.receiver_log},
            {"log_server", request.log_server},
            {"receiver_log_server", request.receiver_log_server},
            {"log_transport", request.log_transport},
            {"receiver_log_transport", request.receiver_log_transport},
            {"log_rate", request.log_rate},
            {"log_block", request.log_block},
            {"require", request.require}};
}

json fields(const RunHello& hello) {
    return {{"version", hello.version},
            {"program", head_of(hello.program, kLongestName)},
            {"host", head_of(hello.host, kLongestName)}};
}

json fields(const RunWelcome& welcome) {
    return {{"version", welcome.version}};
}

json fields(const StopRun&) {
    return json::object();
}

json fields(const RunKeepAlive&) {
    return json::object();
}

json fields(const RunAccepted& accepted) {
    return {{"program", head_of(accepted.program, kLongestName)}, {"host", head_of(accepted.host, kLongestName)}};
}

json fields(const RunRefused& refused) {
    return {{"reason", head_of(refused.reason, kLongestText)}};
}

json fields(const RunProgress& progress) {
    return {{"line", head_of(progress.line, kLongestReason)}};
}

json fields(const RunRemark& remark) {
    return {{"sentence", head_of(remark.sentence, kLongestReason)}};
}

json fields(const RunReport& report) {
    return {{"json", report.json}, {"piece", report.piece}};
}

json fields(const RunEnded& ended) {
    json failures = json::array();
    for (const std::string& failure : ended.failures) {
        if (failures.size() < kMostFailures) {
            failures.push_back(head_of(failure, kLongestReason));
        }
    }
    return {{"failures", std::move(failures)}};
}

std::uint32_t number32(const JsonFields& fields, const char* name) {
    return static_cast<std::uint32_t>(fields.number(name, 0, kMax32));
}

DaemonMessage parse_hello(const JsonFields& fields) {
    return RunHello{.version = number32(fields, "version"),
                    .program = fields.text("program", kLongestName),
                    .host = fields.text("host", kLongestName)};
}

DaemonMessage parse_welcome(const JsonFields& fields) {
    return RunWelcome{.version = number32(fields, "version")};
}

DaemonMessage parse_flows(const JsonFields& fields) {
    RunFlows message;
    for (const json& flow : fields.array("flows", kMostFlowsInRunFlows)) {
        message.flows.push_back(flow_spec_from_json(flow));
    }
    return message;
}

DaemonMessage parse_run(const JsonFields& fields) {
    const auto text = [&fields](const char* name) { return fields.text(name, kLongestName); };
    const auto longest_wait = static_cast<std::uint64_t>(kLongestWait.count());
    return RunRequest{.experiment = text("experiment"),
                      .seed = fields.number("seed", 0, kMax64),
                      .threads = number32(fields, "threads"),
                      .wait = Nanos{static_cast<Nanos::rep>(fields.number("wait_ns", 0, longest_wait))},
                      .log = text("log"),
                      .receiver_log = text("receiver_log"),
                      .log_server = text("log_server"),
                      .receiver_log_server = text("receiver_log_server"),
                      .log_transport = text("log_transport"),
                      .receiver_log_transport = text("receiver_log_transport"),
                      .log_rate = fields.number("log_rate", 0, kMax64),
                      .log_block = number32(fields, "log_block"),
                      .require = text("require")};
}

DaemonMessage parse_stop(const JsonFields&) {
    return StopRun{};
}

DaemonMessage parse_keep_alive(const JsonFields&) {
    return RunKeepAlive{};
}

DaemonMessage parse_accepted(const JsonFields& fields) {
    return RunAccepted{.program = fields.text("program", kLongestName), .host = fields.text("host", kLongestName)};
}

DaemonMessage parse_refused(const JsonFields& fields) {
    return RunRefused{.reason = fields.text("reason", kLongestText)};
}

DaemonMessage parse_progress(const JsonFields& fields) {
    return RunProgress{.line = fields.text("line", kLongestReason)};
}

DaemonMessage parse_remark(const JsonFields& fields) {
    return RunRemark{.sentence = fields.text("sentence", kLongestReason)};
}

DaemonMessage parse_report(const JsonFields& fields) {
    return RunReport{.json = fields.flag("json"), .piece = fields.text("piece", kLongestReportPiece)};
}

DaemonMessage parse_ended(const JsonFields& fields) {
    RunEnded ended;
    const json& failures = fields.array("failures", kMostFailures);
    for (std::size_t i = 0; i < failures.size(); ++i) {
        ended.failures.push_back(text_at(failures, i, "failures", kLongestReason));
    }
    return ended;
}

/// In the order of kTypes.
constexpr std::array<DaemonMessage (*)(const JsonFields&), kTypes.size()> kParsers{
    parse_flows,    parse_run,    parse_stop,   parse_keep_alive, parse_accepted, parse_refused,
    parse_progress, parse_remark, parse_report, parse_ended,      parse_hello,    parse_welcome};

DaemonMessage parse_typed(std::string_view text, std::string& type) {
    if (text.size() > kMaxMessageBytes or json_depth(text) > kDeepestMessage) {
        throw UsageError("it is longer than " + std::to_string(kMaxMessageBytes) + " bytes, or nested deeper than " +
                         std::to_string(kDeepestMessage) + " levels");
    }
    const json object = json::parse(text.begin(), text.end(), nullptr, false);
    if (object.is_discarded()) {
        throw UsageError("it is no JSON");
    }
    const JsonFields fields(object);
    const std::string name = fields.text("type", kLongestName);
    const auto* const found = std::find(kTypes.begin(), kTypes.end(), name);
    if (found == kTypes.end()) {
        throw UsageError("this program knows no message '" + plain_text(name, 40) + "'");
    }
    type.append("'").append(name).append("' ");
    return kParsers[static_cast<std::size_t>(found - kTypes.begin())](fields);
}

}  // namespace

std::string serialize(const DaemonMessage& message) {
    json object = std::visit([](const auto& one) { return fields(one); }, message);
    object["type"] = type_name(message);
    return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

DaemonMessage parse_daemon_message(std::string_view text, const std::string& peer) {
    std::string type;
    try {
        return parse_typed(text, type);
    } catch (const UsageError& error) {
        throw ProtocolError(peer, "sent a message " + type + "that cannot be read: " + error.what());
    }
}

std::string_view type_name(const DaemonMessage& message) {
    return kTypes[message.index()];
}

std::vector<std::string> report_pieces(std::string_view report) {
    std::vector<std::string> pieces;
    while (not report.empty()) {
        pieces.emplace_back(head_of(report, kLongestReportPiece));
        report.remove_prefix(pieces.back().size());
    }
    return pieces;
}

}  // namespace groma
