// The series of a run, a slice of time at a time: those of many flows over a day do not fit into memory.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace groma {

/// One interval of a flow. Unknown values are absent; all others are finite.
struct SeriesPoint {
    double start_s = 0;  ///< of the interval, from the start of the run
    std::optional<double> sent_packets;
    std::optional<double> received_packets;
    std::optional<double> received_bytes;
    std::optional<double> throughput_bps;
    std::optional<double> packet_rate_pps;  ///< received
    std::optional<double> sent_rate_pps;
    std::optional<double> delay_mean_ns;
    std::optional<double> delay_min_ns;
    std::optional<double> delay_max_ns;
    std::optional<double> jitter_ns;
    std::optional<double> lost;
    std::optional<double> rtt_mean_ns;
    std::optional<double> rtt_min_ns;
    std::optional<double> rtt_max_ns;
};

/// The state of a connection at one time, by the sender's kernel.
struct ConnectionPoint {
    double at_s = 0;  ///< from the start of the run
    std::optional<double> rtt_ns;
    std::optional<double> cwnd_bytes;
    std::optional<double> retransmitted;  ///< segments, since the connection began
};

/// Where rows are, in time.
struct SeriesExtent {
    double first_s = 0;
    double last_s = 0;
};

/// What starts at `from_s` or later, and before `until_s`.
struct TimeSlice {
    double from_s = 0;
    double until_s = 0;
    std::size_t most_rows = 0;
};

/// For each curve of a picture its rows, in the order of time.
using IntervalRows = std::vector<std::vector<SeriesPoint>>;
using SampleRows = std::vector<std::vector<ConnectionPoint>>;

/// Throws (all functions): RunError when the source is damaged.
class SeriesSource {
public:
    SeriesSource() = default;
    SeriesSource(const SeriesSource&) = delete;
    SeriesSource& operator=(const SeriesSource&) = delete;
    virtual ~SeriesSource() = default;

    /// Empty if there are none.
    [[nodiscard]] virtual std::optional<SeriesExtent> intervals() const = 0;
    [[nodiscard]] virtual std::optional<SeriesExtent> samples() const = 0;
    /// Empty if there are more than `slice.most_rows`.
    [[nodiscard]] virtual std::optional<IntervalRows> intervals_within(const TimeSlice& slice) const = 0;
    [[nodiscard]] virtual std::optional<SampleRows> samples_within(const TimeSlice& slice) const = 0;
};

}  // namespace groma
