// Everything that a run of the sender has to report: values only, made when the run is over. Printing is done by
// report_text.hpp and report_json.hpp, judging by verdict.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/control/messages.hpp"
#include "common/log/asked_rate.hpp"
#include "common/log/log_shipment.hpp"
#include "common/model/experiment/requirement.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/device/queue_drops.hpp"
#include "common/os/cpu_conditions.hpp"
#include "common/os/usage.hpp"
#include "common/time/instant.hpp"
#include "sender/engine/engine_flow.hpp"
#include "sender/engine/pacing_facts.hpp"
#include "sender/report/clock_report.hpp"

namespace groma {

/// Packets that were sent and not received within the waiting time.
struct LostPackets {
    std::optional<std::uint64_t> number{};    ///< empty: unknown
    std::optional<std::uint64_t> at_least{};  ///< where it is unknown, those that are known to be lost

    [[nodiscard]] std::uint64_t known() const { return number.value_or(at_least.value_or(0)); }
    /// The sum's number is known if both are.
    LostPackets& operator+=(const LostPackets& more);
    bool operator==(const LostPackets&) const = default;
};

/// "12", ">= 12" or "unknown".
[[nodiscard]] std::string to_string(const LostPackets& lost);

/// What one of several receivers of a flow got.
struct ReceivedBy {
    std::string address;                   ///< of the receiver's control port
    std::optional<ReceivedFlow> received;  ///< as FlowReport::received; nothing when it sent no results
    std::optional<Nanos> delay_bound{};    ///< as FlowReport::delay_bound

    /// Of `sent` packets those that did not arrive, copies that are not told counting as packets; 0 without results.
    [[nodiscard]] std::uint64_t missing(std::uint64_t sent) const;
};

/// A flow's figures of both sides.
struct FlowReport {
    FlowSpec spec;
    std::string local_address;   ///< "10.0.0.1:41234"
    std::string remote_address;  ///< "10.0.0.2:5000"
    FlowOutcome outcome;
    /// Its times are by this host's clock; 1970, and without delays, where none is known. Nothing when no receiver sent
    /// results; of a flow to several, what the one got that got least.
    std::optional<ReceivedFlow> received;
    std::optional<Nanos> delay_bound{};   ///< the clocks' part of the error of delays; nothing: they are unknown
    std::vector<std::string> warnings{};  ///< what a kernel refused or made less of, a sentence each
    std::optional<WallTime> began{};      ///< the run, by the clock of the host that sent; nothing: it is this host
    std::vector<ReceivedBy> receivers{};  ///< of a flow to several, each; empty of a flow to one

    /// Its host was lost: nobody knows what was sent.
    [[nodiscard]] bool is_unknown() const;
    /// The receiver sees which packets are copies: all have a number, or the transport delivers no copies.
    [[nodiscard]] bool tells_copies() const;
    /// Each of its receivers; that of a flow to one has no address.
    [[nodiscard]] std::vector<ReceivedBy> by_receiver() const;
    /// What each of them told.
    [[nodiscard]] std::vector<std::optional<ReceivedFlow>> told() const;
    /// Its receiver sent results; each of them, of a flow to several.
    [[nodiscard]] bool all_told() const;
    /// Packets that were to arrive: those sent, once at each receiver.
    [[nodiscard]] std::uint64_t due_packets() const;
    /// Packets of the schedule's that arrived, each counted once where copies are told.
    [[nodiscard]] std::uint64_t unique() const;
    /// Copies that are not told hide losses, as a receiver without results among several does: then only a bound is
    /// known. Without results it is unknown.
    [[nodiscard]] LostPackets lost() const;
    /// The same of one of several receivers.
    [[nodiscard]] LostPackets lost_by(const std::optional<ReceivedFlow>& receiver) const;
    /// Packets that the receiver sent back and of which no reply came; unknown without results, or where copies are not
    /// told.
    [[nodiscard]] std::optional<std::uint64_t> lost_on_the_way_back() const;
};

struct ReceiverReport {
    std::string address;  ///< of its control port
    std::string host;     ///< what it calls itself
    std::string lost;     ///< why its session ended before the run did; empty: it did not
    std::string log_file;
    std::string log_error;
    LogShipment shipment{};                      ///< of its log
    bool same_clock = false;                     ///< both programs run on one kernel
    std::optional<OffsetReport> offset{};        ///< from the probes
    std::optional<ClockHealth> clock{};          ///< what its kernel says of its clock
    std::optional<CpuUsage> usage{};             ///< of its process, while it received
    std::map<std::string, std::string> about{};  ///< what it says of its host, and its program

    /// Whom it serves, as Reach::in_words() has it; empty: it does not say.
    [[nodiscard]] std::string serves() const;
};

struct LogReport {
    std::string name;  ///< "send.glog", "log server 10.0.0.3:9001"
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;
    std::string error;       ///< why it is not whole; empty: it is
    LogShipment shipment{};  ///< on its way to a log server
};

struct SendReport {
    std::string run_id;
    std::string experiment;
    std::uint64_t seed = 0;
    std::string host;
    std::string
        serves{};  ///< Reach::in_words() of the sender, if receivers call it, or of its daemon; empty: it is neither
    WallTime started_at{};
    Nanos elapsed{0};  ///< from the common start to the end of the last flow
    bool interrupted = false;
    std::optional<ClockHealth> clock{};  ///< what this host's kernel says of its clock
    std::vector<OwnStep> own_steps{};
    PacingFacts pacing{};                       ///< no threads: nothing was sent yet
    std::optional<CpuUsage> usage{};            ///< of this process, while it sent
    std::optional<CpuConditions> conditions{};  ///< of this host, meanwhile
    std::vector<QueueDrops> queue_drops{};      ///< by this host's queues, until the receivers told their results
    std::vector<Requirement> required{};        ///< of every flow, by the user
    std::vector<FlowReport> flows;              ///< in the order of the experiment
    std::optional<ArrivalDelays> delays{};      ///< of all flows together; nothing: unknown, or several receivers
    std::vector<ReceiverReport> receivers;
    std::optional<LogReport> log;
    std::vector<LogReport> remote_logs{};  ///< of senders on other hosts, which are in the names
};

[[nodiscard]] FlowCourse course_of(const FlowOutcome& outcome);

/// Counts and fidelity of all flows together: counts are sums, fidelity is as FidelitySum has it.
[[nodiscard]] FlowOutcome total_outcome(const std::vector<FlowReport>& flows);

/// Whether nothing was scheduled: all of them went as fast as possible.
[[nodiscard]] bool all_greedy(const std::vector<FlowReport>& flows);
/// How those were sent. Requires: all_greedy(flows).
[[nodiscard]] std::string_view how_unpaced(const std::vector<FlowReport>& flows);

/// Of all receivers of all flows: known if they are known of each.
[[nodiscard]] std::uint64_t total_due(const std::vector<FlowReport>& flows);
[[nodiscard]] LostPackets total_lost(const std::vector<FlowReport>& flows);
struct RoundTripLosses {
    LostPackets forward{.number = 0};
    std::optional<std::uint64_t> backward = 0;
};
/// Of the flows with the round-trip meter.
[[nodiscard]] RoundTripLosses total_round_trip_losses(const std::vector<FlowReport>& flows);

/// What all receivers got of all flows together; nothing when no flow has any.
[[nodiscard]] std::optional<ReceivedFlow> total_received(const SendReport& report);

/// Nothing: no flow has one.
[[nodiscard]] std::optional<Nanos> largest_delay_bound(const std::vector<FlowReport>& flows);

/// Packets a second between the first arrival and the last; nothing below two packets, or without times.
[[nodiscard]] std::optional<double> arrival_rate(const ReceivedFlow& received);

/// Why the run was no success, a sentence each: flows that did not run to their end, records that were not kept, and
/// requirements that were not met.
/// Empty means exit status 0.
[[nodiscard]] std::vector<std::string> failures(const SendReport& report);

}  // namespace groma
