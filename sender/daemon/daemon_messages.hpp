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
//   StopRun         ------------------------>             (once or twice, as a user presses Ctrl-C)
//                   <------------------------ RunProgress, RunWarning
//                   <------------------------ RunReport    (pieces of the report as text, then of that in JSON)
//                   <------------------------ RunEnded
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

inline constexpr std::uint32_t kDaemonVersion = 2;
inline constexpr std::size_t kMostFlowsInRunFlows = 1000;
inline constexpr std::size_t kLongestReportPiece = std::size_t{1} << 20U;

struct RunHello {
    std::uint32_t version = kDaemonVersion;
    std::string program;  ///< "groma-send 0.1.0"
    std::string host;     ///< the client's
    bool operator==(const RunHello&) const = default;
};

struct RunWelcome {
    std::uint32_t version = kDaemonVersion;  ///< the one that is spoken
    bool operator==(const RunWelcome&) const = default;
};

struct RunFlows {
    std::vector<FlowSpec> flows;
    bool operator==(const RunFlows&) const = default;
};

/// The run of the flows that came before. Logs are named, never placed; servers are "HOST:PORT" or empty.
struct RunRequest {
    std::string experiment;  ///< its name
    std::uint64_t seed = 1;
    std::uint32_t threads = 0;  ///< that send; 0: as many as the load asks for
    Nanos wait{0};
    std::string log;           ///< name of the sender's log in the daemon's log folder; empty: none
    std::string receiver_log;  ///< as in Start (common/control/messages.hpp)
    std::string log_server;
    std::string receiver_log_server;
    std::string log_transport;  ///< "tcp", "udp", or empty: as usual
    std::string receiver_log_transport;
    std::uint64_t log_rate = 0;  ///< bytes per second; 0: what the path carries
    std::uint32_t log_block = 1;
    std::string require{};  ///< "rate=0.1%,loss=0"; empty: nothing
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
    std::string host;  ///< the daemon's
    bool operator==(const RunAccepted&) const = default;
};

/// Nothing is sent; the connection is closed behind it.
struct RunRefused {
    std::string reason;  ///< a line for each error
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
    bool json = false;  ///< of the report as JSON, not as text
    std::string piece;
    bool operator==(const RunReport&) const = default;
};

struct RunEnded {
    std::vector<std::string> failures;  ///< why it is no success, a sentence each; none: it is one
    bool operator==(const RunEnded&) const = default;
};

using DaemonMessage = std::variant<RunFlows, RunRequest, StopRun, RunKeepAlive, RunAccepted, RunRefused, RunProgress,
                                   RunWarning, RunReport, RunEnded, RunHello, RunWelcome>;

/// The JSON text of a message.
[[nodiscard]] std::string serialize(const DaemonMessage& message);

/// Throws: ProtocolError(peer, ...) for anything else. The text is hostile.
[[nodiscard]] DaemonMessage parse_daemon_message(std::string_view text, const std::string& peer);

/// The name of a message's type on the wire: "flows", "run", ...
[[nodiscard]] std::string_view type_name(const DaemonMessage& message);

/// A report in pieces that fit into messages, cut between characters.
[[nodiscard]] std::vector<std::string> report_pieces(std::string_view report);

}  // namespace groma
