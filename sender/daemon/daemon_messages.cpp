#include "sender/daemon/daemon_messages.hpp"

#include "common/control/message_limits.hpp"
#include "common/json/json_message.hpp"
#include "common/model/flow/flow_json.hpp"

namespace groma {

namespace {

constexpr CutTo kName{kLongestName};
constexpr CutTo kReason{kLongestReason};
constexpr CutTo kLongReason{std::size_t{64} << 10U};  ///< one line per error
/// Never cut: a cut name would name something else.
constexpr UpTo kWholeName{kLongestName};
constexpr std::size_t kMostFailures = 1000;
constexpr JsonLimits kLimits{.bytes = kMaxMessageBytes, .depth = kDeepestMessage};

/// In the order of the alternatives of DaemonMessage.
constexpr MessageTypes<DaemonMessage> kTypes{"flows",    "run",    "stop",   "keep_alive", "accepted", "refused",
                                             "progress", "remark", "report", "ended",      "hello",    "welcome",
                                             "ready",    "begin",  "log",    "log_lost"};

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, RunFlows>& message) {
    fields("flows", message.flows, Most{kMostFlowsInRunFlows});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, OfferedKey>& key) {
    fields("name", key.name, UpTo{kLongestKeyName});
    fields.when_read("name", [&key] { static_cast<void>(parse_key_name(key.name)); });
    fields("host", key.host, kWholeName);
    fields("id", key.key.id);
    fields.as("secret", key.key.secret, &parse_secret);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunRequest>& request) {
    fields("experiment", request.experiment, kWholeName);
    fields("seed", request.seed);
    fields("threads", request.threads);
    fields("wait_ns", request.wait, Within{Nanos::rep{0}, kLongestWait.count()});
    fields("log", request.log, kWholeName);
    fields("receiver_log", request.receiver_log, kWholeName);
    fields("log_server", request.log_server, kWholeName);
    fields("receiver_log_server", request.receiver_log_server, kWholeName);
    fields("log_transport", request.log_transport, kWholeName);
    fields("receiver_log_transport", request.receiver_log_transport, kWholeName);
    fields("log_rate", request.log_rate);
    fields("log_block", request.log_block);
    fields("require", request.require, kWholeName);
    fields.unless(false, "verbose", request.verbose);
    fields.unless({}, "run_id", request.run_id, kWholeName);
    fields.unless({}, "sender", request.sender, kWholeName);
    fields.unless({}, "fetch_log", request.fetch_log, kWholeName);
    fields.unless({}, "fetch_receiver_logs", request.fetch_receiver_logs, kWholeName);
    fields.unless({}, "keys", request.keys, Most{kMostKeysOfRun});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunHello>& hello) {
    fields("version", hello.version);
    fields("program", hello.program, kName);
    fields("host", hello.host, kName);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunWelcome>& welcome) {
    fields("version", welcome.version);
}

template <typename Fields>
void describe(Fields& /*fields*/, As<Fields, StopRun>& /*message*/) {}

template <typename Fields>
void describe(Fields& /*fields*/, As<Fields, RunKeepAlive>& /*message*/) {}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunAccepted>& accepted) {
    fields("program", accepted.program, kName);
    fields("host", accepted.host, kName);
    fields.unless({}, "call", accepted.call, kWholeName);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunReady>& ready) {
    fields("margin_ns", ready.margin, Within{Nanos::rep{0}, kLongestWait.count()});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, StartRun>& begin) {
    fields("in_ns", begin.in, Within{Nanos::rep{0}, (kLongestWait + kToldOfStart).count()});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunRefused>& refused) {
    fields("reason", refused.reason, kLongReason);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunProgress>& progress) {
    fields("line", progress.line, kReason);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunWarning>& warning) {
    fields("sentence", warning.sentence, kReason);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunReport>& report) {
    fields("json", report.json);
    fields("piece", report.piece, UpTo{kLongestReportPiece});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunLogSection>& log) {
    fields("log", log.log);
    fields("name", log.name, kWholeName);
    describe(fields, log.section);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunLogLost>& lost) {
    fields("log", lost.log);
    fields("reason", lost.reason, kReason);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunEnded>& ended) {
    fields("failures", ended.failures, FirstOf{kMostFailures}, kReason);
}

std::string serialize(const DaemonMessage& message) {
    return message_text(message, kTypes);
}

DaemonMessage parse_daemon_message(std::string_view text, const std::string& peer) {
    return message_from_text<DaemonMessage>(text, peer, kTypes, kLimits);
}

std::string_view type_name(const DaemonMessage& message) {
    return kTypes[message.index()];
}

std::vector<std::string> report_pieces(std::string_view report) {
    std::vector<std::string> pieces;
    while (not report.empty()) {
        pieces.emplace_back(cut_text(report, kLongestReportPiece));
        report.remove_prefix(pieces.back().size());
    }
    return pieces;
}

}  // namespace groma
