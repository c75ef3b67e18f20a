// What groma-send --via and groma-send --daemon say to each other (docs/guide/daemon.md). Framed as control messages
// are (docs/reference/protocol.md): a JSON object behind a 4-byte big-endian length, every field bounded when it is
// read.
//
//   client                                   daemon
//   RunHello        ------------------------>
//                   <------------------------ RunWelcome | RunRefused
//   RunFlows        ------------------------>             (once or more)
//   RunRequest      ------------------------>
//                   <------------------------ RunAccepted | RunRefused
//   RunKeepAlive    <----------------------->             (both sides, once a second, from RunAccepted on)
//                   <------------------------ RunReady     (only of a part of a run: docs/guide/agents.md, reverse.md)
//   StartRun        ------------------------>             (its answer)
//   StopRun         ------------------------>             (once or twice, as a user presses Ctrl-C)
//                   <------------------------ RunProgress, RunWarning
//                   <------------------------ RunReport    (pieces of the report as text, then of that in JSON)
//                   <------------------------ RunLogSection, RunLogLost   (after the report, if the client asked)
//                   <------------------------ RunEnded
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/control/messages.hpp"
#include "common/model/flow/flow_spec.hpp"

namespace groma {

inline constexpr std::uint32_t kDaemonVersion = 2;
inline constexpr std::size_t kMostFlowsInRunFlows = 1000;
inline constexpr std::size_t kMostKeysOfRun = 100;
inline constexpr std::size_t kLongestReportPiece = std::size_t{1} << 20U;

struct RunHello {
    std::uint32_t version = kDaemonVersion;
    std::string program;  ///< "groma-send 0.1.0"
    std::string host;     ///< the client's
    bool operator==(const RunHello&) const = default;
};

struct RunWelcome {
    std::uint32_t version = kDaemonVersion;  ///< the protocol version in use
    bool operator==(const RunWelcome&) const = default;
};

struct RunFlows {
    std::vector<FlowSpec> flows;
    bool operator==(const RunFlows&) const = default;
};

/// Requests a run of the preceding flows. Logs are names, never paths; servers are "HOST:PORT" or empty.
struct RunRequest {
    std::string experiment;  ///< its name
    std::uint64_t seed = 1;
    std::uint32_t threads = 0;  ///< sending threads; 0: chosen by load
    Nanos wait{0};
    std::string log;           ///< name of the sender's log in the daemon's log folder; empty: none
    std::string receiver_log;  ///< as in Start (common/control/messages.hpp)
    std::string log_server;
    std::string receiver_log_server;
    std::string log_transport;  ///< "tcp" or "udp"; empty: default
    std::string receiver_log_transport;
    std::uint64_t log_rate = 0;  ///< bytes per second; 0: as fast as the path allows
    std::uint32_t log_block = 1;
    std::string require{};  ///< "rate=0.1%,loss=0"; empty: none
    bool verbose = false;   ///< the text of the report with all tables
    /// Of the run that this one is a part of: it starts when the client says so, and its report is to be merged. Empty:
    /// it is a run of its own, and not in reverse.
    std::string run_id{};
    std::string sender{};  ///< this sender's name in it, among others; empty: in names of logs it has none
    /// Of a part of a run: the names that its logs get at the client, to which they go after the report; empty: it does
    /// not want them.
    std::string fetch_log{};
    std::string fetch_receiver_logs{};  ///< with several receivers, their addresses are added
    std::vector<OfferedKey> keys{};     ///< to prove to the receivers of the run, on behalf of the client
    bool operator==(const RunRequest&) const = default;
};

struct StopRun {
    bool operator==(const StopRun&) const = default;
};

struct RunKeepAlive {
    bool operator==(const RunKeepAlive&) const = default;
};

struct RunAccepted {
    std::string program;
    std::string host;    ///< the daemon's
    std::string call{};  ///< of a run in reverse: the name with which the client's receiver calls in
    bool operator==(const RunAccepted&) const = default;
};

/// The run can start after `margin`, and waits for StartRun.
struct RunReady {
    Nanos margin{0};
    bool operator==(const RunReady&) const = default;
};

/// On top of the largest margin: until all senders know of the start.
inline constexpr Nanos kToldOfStart = std::chrono::milliseconds(500);

/// The common start is so long after this message has come.
struct StartRun {
    Nanos in{0};
    bool operator==(const StartRun&) const = default;
};

/// The run is refused; the daemon then closes the connection.
struct RunRefused {
    std::string reason;  ///< one line per error
    bool operator==(const RunRefused&) const = default;
};

struct RunProgress {
    std::string line;
    bool operator==(const RunProgress&) const = default;
};

struct RunWarning {
    std::string sentence;
    bool operator==(const RunWarning&) const = default;
};

struct RunReport {
    bool json = false;  ///< whether the piece is of the JSON report, not the text
    std::string piece;
    bool operator==(const RunReport&) const = default;
};

/// The next section of a log of the run.
struct RunLogSection {
    std::uint32_t log = 0;  ///< 0: the sender's; else that of the receiver with this number in the report, from 1 on
    std::string name;       ///< as the client called it
    LogSection section{};
    bool operator==(const RunLogSection&) const = default;
};

/// The log does not come, or not all of it.
struct RunLogLost {
    std::uint32_t log = 0;  ///< as in RunLogSection
    std::string reason;
    bool operator==(const RunLogLost&) const = default;
};

struct RunEnded {
    std::vector<std::string> failures;  ///< why the run failed, a sentence each; empty: success
    bool operator==(const RunEnded&) const = default;
};

using DaemonMessage =
    std::variant<RunFlows, RunRequest, StopRun, RunKeepAlive, RunAccepted, RunRefused, RunProgress, RunWarning,
                 RunReport, RunEnded, RunHello, RunWelcome, RunReady, StartRun, RunLogSection, RunLogLost>;

/// The JSON text of a message.
[[nodiscard]] std::string serialize(const DaemonMessage& message);

/// Throws: ProtocolError(peer, ...) for anything else. The text is untrusted.
[[nodiscard]] DaemonMessage parse_daemon_message(std::string_view text, const std::string& peer);

/// The name of a message's type on the wire: "flows", "run", ...
[[nodiscard]] std::string_view type_name(const DaemonMessage& message);

/// Splits a report into pieces that fit into messages, at character boundaries.
[[nodiscard]] std::vector<std::string> report_pieces(std::string_view report);

}  // namespace groma
