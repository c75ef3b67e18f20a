// Figures that a run has only on request: round trips, transmit stamps, the state of connections, headers as they
// arrived. Values; what is unknown is empty. Definitions: docs/reference/metrics.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/log/run_metadata.hpp"
#include "common/stats/histograms/spread.hpp"
#include "common/wire/records.hpp"

namespace groma {

/// What came back from the receiver, from the sender's log.
struct RoundTripFigures {
    std::uint64_t replies = 0;  ///< every copy, as the sender counted where records are missing
    std::uint64_t records_missing = 0;
    std::uint64_t unique = 0;      ///< first copies, and replies without a sequence number
    std::uint64_t duplicates = 0;  ///< further copies, whichever way they were made
    std::uint64_t unnumbered = 0;
    std::uint64_t undated = 0;     ///< first copies of packets whose departure is unknown: no round-trip time
    std::uint64_t impossible = 0;  ///< replies with a time that no clocks within their largest error have
    Spread rtt_ns;
    Spread scheduled_rtt_ns;          ///< from the scheduled departure on
    bool lateness_forgotten = false;  ///< there were too many packets for that
    Spread network_ns;                ///< rtt less residence
    Spread residence_ns;              ///< how long the receiver held the packet, by its own stamps
    Spread forward_ns;                ///< one-way delays by the receiver's stamps
    Spread backward_ns;
    bool one_way_is_relative = true;             ///< both are less their smallest value
    std::optional<std::uint64_t> lost;           ///< sent, and never returned
    std::optional<std::uint64_t> backward_lost;  ///< reached the receiver, and never returned
    std::string backward_from;                   ///< the source of `backward_lost`, or why it is unknown
};

/// When packets left as the kernel or the hardware saw it.
struct TransmitFigures {
    std::string stamps;           ///< "kernel", "hardware"
    std::uint64_t packets = 0;    ///< with a stamp
    std::uint64_t unmatched = 0;  ///< stamps of packets that the log does not have
    Spread stack_ns;              ///< the stamp minus the user's: time in the sender's stack; unknown with hardware
    Spread delay_ns;              ///< one-way delay from this stamp on, with the receiver's log
};

/// A sample, and when it was taken, from the start of the run.
struct TimedSample {
    double t_s = 0;
    ConnectionSample sample;
};

/// A connection as one side saw it.
struct ConnectionFigures {
    LogRole side = LogRole::sender;
    std::vector<TimedSample> samples;  ///< in the order of the log
    std::uint64_t left_out = 0;        ///< beyond the limit
    Spread rtt_ns;
    Spread cwnd;
    std::optional<std::uint64_t> retransmitted;
    std::optional<std::uint64_t> retransmitted_bytes;
    std::optional<Nanos> min_rtt;                        ///< of the kernel's unsmoothed ones
    std::optional<double> loaded_rtt_mean_ns;            ///< of rtt_ns with data in flight
    std::optional<std::uint64_t> delivery_rate_min_bps;  ///< these two while the flow did not limit the rate itself
    std::optional<std::uint64_t> delivery_rate_max_bps;
    std::optional<std::uint64_t> pacing_rate_max_bps;
    // RFC 6349, section 4; of the sender's side.
    std::optional<double> efficiency;           ///< share of the bytes on the wire that were sent for the first time
    std::optional<double> buffer_delay;         ///< (mean RTT with data in flight - smallest) / smallest
    std::optional<double> transfer_time_ratio;  ///< actual time / time at the rate of the bottleneck
    std::string no_time_ratio_because;          ///< empty where a reader needs no reason
};

/// How many packets arrived with each value.
struct ArrivalHeaderFigures {
    std::map<std::uint8_t, std::uint64_t> ttl;
    std::map<std::uint8_t, std::uint64_t> ds_byte;
    [[nodiscard]] bool known() const { return not ttl.empty(); }
};

/// A value of a header field as it arrived.
struct HeaderCount {
    std::string_view field;  ///< "ttl", "ds_byte"
    std::uint8_t value = 0;
    std::uint64_t packets = 0;
};

/// How many packets are n-reordered (RFC 4737, 5.3).
struct NReorderingRow {
    std::uint64_t n = 0;
    std::uint64_t packets = 0;
    double degree = 0;  ///< share of the packets that arrived
};

/// A row of the reorder density (RFC 5236, 3).
struct ReorderDensityRow {
    std::int64_t displacement = 0;  ///< above 0: late
    std::uint64_t packets = 0;
    double share = 0;  ///< of the packets that have a displacement
};

}  // namespace groma
