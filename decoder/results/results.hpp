// All results of the decoder, as values: the analysis makes them, the reports print them. Units are in the names; an
// unknown value is an empty optional, never a zero. Figures and their definitions: docs/reference/metrics.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/log/log_reader.hpp"
#include "common/log/run_metadata.hpp"
#include "common/os/usage.hpp"
#include "common/stats/fidelity/fidelity.hpp"
#include "common/stats/fidelity/gap_scales.hpp"
#include "common/stats/fidelity/requirement_check.hpp"
#include "common/stats/histograms/confidence.hpp"
#include "common/stats/histograms/spread.hpp"
#include "common/stats/sequence/loss_pattern.hpp"
#include "common/stats/sequence/reorder_density.hpp"
#include "common/stats/sequence/reordering.hpp"
#include "common/time/time_span.hpp"
#include "decoder/results/clock_state.hpp"
#include "decoder/results/group_key.hpp"
#include "decoder/results/measured.hpp"
#include "decoder/results/selection.hpp"
#include "decoder/results/time_series.hpp"

namespace groma {

/// What one side's log says of a flow.
struct SentFigures {
    std::uint64_t packets = 0;  ///< of the log's totals; of the records when the log was cut short
    std::uint64_t bytes = 0;
    bool whole = false;                 ///< the log has its totals
    bool selected = false;              ///< of some packets only: counts are of the records, and there are no counters
    std::uint64_t records_missing = 0;  ///< packets that were counted but are not in the log
    std::uint64_t records_beyond = 0;   ///< in the log, and more than were counted: the totals are wrong
    std::optional<Nanos> duration;      ///< first to last departure
    std::uint64_t first_seq = 0;        ///< of the records
    std::uint64_t end_seq = 0;          ///< one more than the last one's; 0: there are none
    TimeSpan recorded;                  ///< first to last departure by the stamps of the records
    Fidelity fidelity;
    bool all_due_left = true;  ///< every departure that was due left; false: some did not, or it is unknown
    Spread lateness_ns;
    Spread gaps_ns;
    Spread sizes;
    std::vector<GapScale> scales;                                 ///< of departures
    std::string no_fit_because;                                   ///< why the gaps have no fit; empty: they have one
    std::vector<std::pair<std::string, std::uint64_t>> counters;  ///< of the totals

    /// Empty: the log has no totals, or they lack this counter.
    [[nodiscard]] std::optional<std::uint64_t> counter(std::string_view name) const;
    [[nodiscard]] std::uint64_t unsent() const;  ///< as unsent_of()
    /// Whether the flow ran to its end, and these are all its packets.
    [[nodiscard]] bool is_whole_run() const {
        return whole and not selected and counter("ended_early").value_or(0) == 0;
    }
};

struct ReceivedFigures {
    std::uint64_t packets = 0;  ///< every copy
    std::uint64_t bytes = 0;
    bool whole = false;
    bool selected = false;  ///< as of SentFigures
    bool selected_by_size = false;
    std::uint64_t unplaced = 0;  ///< packets of which it is unknown whether they are selected
    std::uint64_t records_missing = 0;
    std::uint64_t records_beyond = 0;
    std::uint64_t unique = 0;                   ///< first copies among the records
    std::optional<std::uint64_t> unique_bytes;  ///< theirs; empty where records are missing
    std::uint64_t duplicates = 0;               ///< as the receiver counted where records are missing
    bool copies_counted = true;                 ///< `duplicates` is of all packets
    std::uint64_t copied = 0;                   ///< packets of which there was more than one copy
    std::uint64_t reordered = 0;                ///< as duplicates
    std::uint64_t reordered_among = 0;          ///< first copies of which it is known whether they are
    ReorderingCounts reordering;                ///< how far those were from their place
    ReorderDensityCounts density;               ///< likewise, and how far others were from it because of them
    std::uint64_t beyond_window = 0;            ///< too late to tell a copy from a late packet
    std::uint64_t unnumbered = 0;               ///< too small for a sequence number
    std::uint64_t undated = 0;          ///< first copies without a delay: no time of departure, or times 73 years apart
    std::uint64_t impossible = 0;       ///< delays that are negative by more than the clocks' largest error
    std::string times_unknown_because;  ///< why the times of arrival are of no use; empty: they are of one clock
    std::uint64_t next_expected = 0;    ///< highest sequence number plus one; 0: none
    TimeSpan arrivals;                  ///< of these packets, from the start of the run; see rates_unknown_because
    std::string rates_unknown_because;  ///< why the span of all these packets, and so every rate, is unknown
    std::optional<std::uint64_t> ip_bytes;        ///< with the headers of IP and transport
    std::optional<std::uint64_t> ethernet_bytes;  ///< and with all that a packet takes on an Ethernet
    std::string headers_unknown_because;          ///< if these are unknown
    Spread delay_ns;
    std::optional<double> delay_mean_error_ns;  ///< standard error
    Spread scheduled_delay_ns;                  ///< from the scheduled departure on, of packets with a record of both
    bool lateness_forgotten = false;            ///< there were too many packets for that
    Spread pdv_ns;                              ///< delays less the smallest of the flow
    Spread ipdv_ns;  ///< signed differences of the delays of neighbours in the order of sending
    std::optional<std::uint64_t> ipdv_missed;  ///< neighbours that both arrived and could not be compared
    std::uint64_t jitter_count = 0;            ///< differences of delay
    std::optional<double> jitter_ditg_ns;
    std::optional<double> jitter_rfc3550_ns;  ///< the last one, as a receiver reports it
    std::optional<double> jitter_rfc3550_mean_ns;
    std::optional<double> jitter_rfc3550_max_ns;
    std::optional<double> mapdv2_ns;  ///< of a flow of voice
    Spread gaps_ns;
    std::string gaps_unknown_because;  ///< if they are, though times of arrival are known
    std::vector<GapScale> arrival_scales;
    Spread sizes;
    std::vector<std::pair<std::string, std::uint64_t>> counters;

    [[nodiscard]] std::optional<std::uint64_t> counter(std::string_view name) const;
    /// First to last arrival; empty if it is unknown, or 0.
    [[nodiscard]] std::optional<Nanos> duration() const;
    /// Empty without a duration.
    [[nodiscard]] std::optional<double> packet_rate_pps() const;
    /// The same of first copies (RFC 2647, 3.17).
    [[nodiscard]] std::optional<double> goodput_bps() const { return rate_of(unique_bytes); }
    /// Bits per second of payload, of IP packets, on an Ethernet: the packet rate times the mean size.
    [[nodiscard]] std::optional<double> throughput_bps() const { return rate_of(bytes); }
    [[nodiscard]] std::optional<double> throughput_ip_bps() const { return rate_of(ip_bytes); }
    [[nodiscard]] std::optional<double> throughput_ethernet_bps() const { return rate_of(ethernet_bytes); }
    [[nodiscard]] std::optional<double> rate_of(std::optional<std::uint64_t> these_bytes) const;
    /// Of a flow: as many independent packets would tell as much of the mean delay. Empty without its error, and if all
    /// delays are the same.
    [[nodiscard]] std::optional<double> delay_independent_packets() const;
    /// Of a flow: the 95 % interval of a percentile of delay (0..1), ns.
    [[nodiscard]] std::optional<PercentileInterval> delay_interval(double fraction) const;
    /// Of a flow: the correlation of the delays of neighbours in the order of sending, by their mean square difference
    /// [von Neumann 1941], from -1 to 1. Empty below 64 differences, if they are fewer than half of the delays, and if
    /// all delays are the same.
    [[nodiscard]] std::optional<double> delay_autocorrelation() const;
    /// Shares of the packets that arrived; empty if there are none.
    [[nodiscard]] std::optional<double> copied_ratio() const;
    [[nodiscard]] std::optional<double> reordered_ratio() const;
};

/// Packets that the host could not send, by a sender's counters; 0 without these. Older logs lack some.
[[nodiscard]] std::uint64_t unsent_of(const std::vector<std::pair<std::string, std::uint64_t>>& counters);

/// From the first to the last of all packets, if it is known and all of them have records: what a series needs for
/// rates.
[[nodiscard]] std::optional<TimeSpan> departures_within(const std::optional<SentFigures>& sent);
[[nodiscard]] std::optional<TimeSpan> arrivals_within(const std::optional<ReceivedFigures>& received);

/// Packets that were sent and never received.
struct Loss {
    std::optional<std::uint64_t> packets;
    std::optional<std::uint64_t> at_least;  ///< when the number itself is unknown
    std::string unknown_because;            ///< if it is
    /// Without those that the receiver's kernel dropped because the socket's buffer was full; empty if those are
    /// unknown.
    std::optional<std::uint64_t> before_host{};
};

/// How lost packets lie among the others.
struct LossPatternFigures {
    std::optional<LossPatternCounts> counts;
    bool to_the_end = false;      ///< otherwise no further than the highest number that was received
    std::string unknown_because;  ///< without counts
};

/// Figures of a flow at one of its receivers, or of several flows together. Of several, a figure is present if it is
/// known of each.
struct FlowFigures {
    std::optional<SentFigures> sent;  ///< with the sender's log; of several flows once, for any number of receivers
    std::optional<ReceivedFigures> received;   ///< with the receiver's log
    std::optional<std::uint64_t> due_packets;  ///< sent, for each receiver: what could be lost
    Loss loss;
    LossPatternFigures loss_pattern;
    ClockState clock;  ///< of several flows: the same for all, or of kind `several`

    /// Of the packets that were due; empty if there are none.
    [[nodiscard]] std::optional<double> lost_ratio() const;
    /// The percentile of one-way delay of all packets that were due, lost ones having an infinite delay [RFC
    /// 7679, 5.1]; ns. Empty if it is infinite or unknown.
    [[nodiscard]] std::optional<std::int64_t> delay_of_due(double fraction) const;
};

/// A flow at one of its receivers: a flow with several (multicast) has consecutive results, one for each.
struct FlowResult : FlowFigures {
    FlowSpec spec;
    std::string sender;                 ///< its host; empty: no log of it
    std::string receiver;               ///< its host; with its address where hosts are alike; empty: no log of it
    std::uint32_t receiver_number = 1;  ///< among the flow's receivers whose logs are there, from 1
    std::uint32_t receivers = 1;        ///< their number
    KnownSeries series;
    std::optional<RoundTripFigures> round_trip;  ///< of a flow that is sent back; with the first receiver
    std::optional<TransmitFigures> transmit;     ///< where the sender noted transmit stamps; likewise
    std::vector<ConnectionFigures> connections;  ///< of both sides
    ArrivalHeaderFigures arrival_header;
    bool schedule_forgotten = false;  ///< times from the schedule are unknown, because not all that was due left
    std::vector<std::string> notes;   ///< what readers of the figures must know, a sentence each
};

/// Flows together: all of a run, or those of a group.
struct TotalResult : FlowFigures {
    std::size_t flows = 0;  ///< each once, for any number of receivers
    KnownSeries series;
};

/// Flows that have the same values of what they are grouped by.
struct GroupResult {
    std::string name;                                     ///< the values, with ", " between them
    std::vector<std::string> values;                      ///< of each key
    std::vector<std::pair<FlowId, std::uint32_t>> flows;  ///< each flow and receiver
    TotalResult total;
};

/// A log, and what was found in it.
struct LogResult {
    std::string path;
    RunMetadata metadata;
    std::uint64_t records = 0;
    std::optional<LogTotals> totals;  ///< empty: the log was cut short
    std::optional<CpuUsage> cpu;      ///< of the program that wrote it, while the run lasted
    std::vector<LogGap> gaps;
    std::vector<LogEvent> events;
    std::uint64_t packets_missing = 0;  ///< that its totals count and that have no record; 0 without totals

    /// A phrase for people: "complete", "interrupted", "log cut short: totals missing", "damaged: 3 records
    /// missing", ...
    [[nodiscard]] std::string describe_end() const;
    /// Service demand: CPU time, user and system, for each packet that the totals count. Empty without packets.
    [[nodiscard]] std::optional<double> cpu_ns_per_packet() const;
};

struct RunResult {
    std::string run_id;
    std::string experiment;
    WallTime started_at{};
    std::uint64_t seed = 0;
    Nanos interval{0};
    Selection selection;  ///< of the packets
    ClockState clock;     ///< the flows' clock if it is the same for all; otherwise of kind `several`
    std::vector<LogResult> logs;
    std::vector<FlowResult> flows;
    TotalResult total;
    std::vector<GroupKey> group_keys{};
    std::vector<GroupResult> groups{};
    std::vector<CheckedRequirement> requirements{};  ///< of those that the user has
};

/// Flows together, and what reports call them.
struct NamedTotal {
    std::string name;
    const TotalResult* total = nullptr;
};
/// The groups, and "total" where there are several flows. The run outlives them.
[[nodiscard]] std::vector<NamedTotal> named_totals(const RunResult& run);

struct Results {
    std::vector<RunResult> runs;
    std::vector<std::string> warnings;
    bool damaged = false;  ///< a log is damaged, cut short, or lost records: some figures are not complete
};

}  // namespace groma
