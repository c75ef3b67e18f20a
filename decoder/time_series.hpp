// A flow's figures per interval, aligned to the start of the run. Memory: one cell for each interval in which something
// happened, however far apart they are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// Sums over one interval.
struct SeriesCell {
    std::uint64_t sent_packets = 0;
    std::uint64_t received_packets = 0;  ///< every copy, by time of arrival
    std::uint64_t received_bytes = 0;
    std::uint64_t sent_further = 0;  ///< the same packets again, for each further receiver of a flow
    std::uint64_t got = 0;           ///< first copies, by time of departure
    std::uint64_t delays = 0;        ///< first copies with a delay, by time of arrival
    double delay_sum_ns = 0;
    Nanos delay_min = Nanos::max();
    Nanos delay_max = Nanos::min();
    std::uint64_t jitters = 0;
    double jitter_sum_ns = 0;
    std::uint64_t returned = 0;  ///< every copy, by time of return
    std::uint64_t rtts = 0;      ///< first copies with a round-trip time, by time of return
    double rtt_sum_ns = 0;
    Nanos rtt_min = Nanos::max();
    Nanos rtt_max = Nanos::min();

    void add_rtt(Nanos rtt) noexcept;
    void add_delay(Nanos delay) noexcept;
    void add_jitter(Nanos change) noexcept;
    void merge(const SeriesCell& other);
};

/// An interval as printed. Nothing where it is not known, or where there was nothing to average.
struct SeriesRow {
    double t_s = 0;  ///< start of the interval, from the start of the run
    std::optional<std::uint64_t> sent_packets;
    std::optional<std::uint64_t> received_packets;
    std::optional<std::uint64_t> received_bytes;
    std::optional<double> throughput_bps;
    std::optional<double> packet_rate_pps;
    std::optional<double> delay_mean_ns;
    std::optional<std::int64_t> delay_min_ns;
    std::optional<std::int64_t> delay_max_ns;
    std::optional<double> jitter_ns;    ///< mean |D(i)|
    std::optional<std::uint64_t> lost;  ///< of the packets that left in this interval
    std::optional<std::uint64_t> returned_packets;
    std::optional<double> rtt_mean_ns;
    std::optional<std::int64_t> rtt_min_ns;
    std::optional<std::int64_t> rtt_max_ns;
};

/// What is known of a flow, and so which columns are filled.
struct SeriesKnowledge {
    bool sent = false;
    bool received = false;
    bool delay = false;
    bool lost = false;
    bool returned = false;
    Nanos delay_shift{0};  ///< taken off every delay
    Nanos from{0};         ///< what was before is not looked at: empty intervals there are left out
};

class TimeSeries {
public:
    /// Requires: interval > 0.
    explicit TimeSeries(Nanos interval);
    TimeSeries(TimeSeries&&) = default;
    TimeSeries& operator=(TimeSeries&&) = default;
    TimeSeries(const TimeSeries&) = delete;  // latest_ points into cells_
    TimeSeries& operator=(const TimeSeries&) = delete;
    ~TimeSeries() = default;

    /// The cell of an instant, counted from the start of the run. The reference holds as long as the series.
    [[nodiscard]] SeriesCell& at(Nanos since_start);

    void merge(const TimeSeries& other);
    /// Only what left: for the series of a flow at a further receiver.
    void merge_departures(const TimeSeries& other);
    /// A series of a flow at a further receiver, whose departures are in this one already.
    void merge_further_receiver(const TimeSeries& other);

    [[nodiscard]] Nanos interval() const { return interval_; }

    /// All intervals from the start of the run to the last one in which something happened; a hole of more than
    /// kLongestHole intervals is left out.
    [[nodiscard]] std::vector<SeriesRow> rows(const SeriesKnowledge& known) const;

    static constexpr std::int64_t kLongestHole = 100'000;

private:
    [[nodiscard]] SeriesRow row(std::int64_t index, const SeriesCell& cell, const SeriesKnowledge& known) const;

    Nanos interval_;
    std::map<std::int64_t, SeriesCell> cells_;
    std::int64_t latest_index_ = 0;  ///< of the cell asked for last: neighbours in time are neighbours here
    SeriesCell* latest_ = nullptr;   ///< map nodes do not move
};

}  // namespace groma
