// Metadata of a log and its run, which make it self-contained: the first block of every log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/clock_health.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"

namespace groma {

enum class LogRole : std::uint8_t { sender, receiver };

/// "sender", "receiver".
[[nodiscard]] std::string_view to_string(LogRole role);
/// Throws: UsageError.
[[nodiscard]] LogRole parse_log_role(std::string_view text);

/// A flow as it was set up.
struct FlowSetup {
    FlowSpec spec;
    std::string local_address;   ///< of the data socket on this side, "10.0.0.1:41234"
    std::string remote_address;  ///< of the other side
    bool operator==(const FlowSetup&) const = default;
};

struct RunMetadata {
    std::string run_id;      ///< 32 hex digits, the same in all logs of a run
    std::string experiment;  ///< its name
    LogRole role = LogRole::sender;
    std::string host;                    ///< this host's name
    std::string boot_id;                 ///< of this host's kernel: equal boot ids share a clock
    std::string program;                 ///< "groma-send 0.1.0"
    std::string timestamps;              ///< source of the records' times: "user", "kernel software"
    std::optional<ClockHealth> clock{};  ///< of this host, when the run began
    WallTime started_at{};               ///< the common start of the run, on this host's clock
    std::uint64_t seed = 0;
    std::optional<Nanos> wait{};  ///< the sender's: packets may arrive for so long after the last one left
    std::vector<FlowSetup> flows;
    bool operator==(const RunMetadata&) const = default;
};

/// Four timestamps of a clock probe (RFC 5905): T1 and T4 on the sender's clock, T2 and T3 on the receiver's.
struct ClockProbe {
    WallTime sent{};      ///< T1
    WallTime received{};  ///< T2
    WallTime answered{};  ///< T3
    WallTime returned{};  ///< T4
    std::string peer_host;
    std::string peer_boot_id;
    bool operator==(const ClockProbe&) const = default;
};

/// An event during a run that readers of the log must know.
struct LogEvent {
    WallTime at{};
    std::optional<FlowId> flow;
    std::string kind;  ///< "peer-lost", "records-lost", "interrupted", "send-errors", ...
    std::string text;  ///< a sentence
    bool operator==(const LogEvent&) const = default;
};

/// What one side counted for a flow, written when the log is closed. A log without it was cut short.
struct FlowTotals {
    FlowId flow;
    std::uint64_t packets = 0;       ///< sent or received, every copy
    std::uint64_t bytes = 0;         ///< of payload
    std::uint64_t records = 0;       ///< packets in this log
    std::uint64_t records_lost = 0;  ///< packets missing in this log
    /// Other counters by name, for people: "send_errors", "foreign_packets", "gaps_raised", ...
    std::vector<std::pair<std::string, std::uint64_t>> counters;
    /// The sender's own errors, by name with the unit at the end; empty for a receiver.
    std::vector<std::pair<std::string, double>> figures{};
    /// When the first and the last of all packets left or arrived, whether they have records or not, and when those of
    /// a sender were due; 1970: unknown, or none.
    WallTime first{};
    WallTime last{};
    WallTime first_due{};
    WallTime last_due{};
    bool operator==(const FlowTotals&) const = default;
};

struct LogTotals {
    WallTime ended_at{};
    std::string end;  ///< "complete", "interrupted", "peer lost: ..."
    std::vector<FlowTotals> flows;
    bool operator==(const LogTotals&) const = default;
};

}  // namespace groma
