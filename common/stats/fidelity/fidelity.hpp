// The sender's own error: the requested against the sent departures, from the sender's records
// (docs/reference/metrics.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "common/base/int128.hpp"
#include "common/stats/fidelity/batch_meter.hpp"
#include "common/stats/fidelity/distribution_fit.hpp"
#include "common/stats/fidelity/gap_counts.hpp"
#include "common/stats/fidelity/gap_model.hpp"
#include "common/stats/histograms/exact_moments.hpp"
#include "common/stats/histograms/log_histogram.hpp"
#include "common/time/instant.hpp"
#include "common/time/time_span.hpp"
#include "common/wire/column_view.hpp"
#include "common/wire/records.hpp"

namespace groma {

struct Fidelity {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    /// Sent as fast as possible: nothing was scheduled, and all that compares with a schedule is empty.
    bool greedy = false;
    /// Departures of the schedule from that of the first packet sent to that of the last, with those between them that
    /// were missed or could not be sent.
    std::uint64_t departures = 0;
    TimeSpan scheduled;              ///< from the first of these departures to the last, as scheduled
    TimeSpan sent;                   ///< the same as sent
    LogHistogram lateness_ns;        ///< actual minus scheduled departure
    std::uint64_t late_packets = 0;  ///< late by more than a tenth of the gap before them
    std::uint64_t alone = 0;         ///< packets with a send call of their own
    std::uint64_t batched = 0;       ///< packets that shared a send call
    std::uint32_t largest_batch = 0;
    LogHistogram batch_sizes;  ///< packets in each send call
    Nanos behind{0};           ///< the time during which a packet was due but had not left
    /// |gap sent - gap scheduled| of packets with consecutive numbers, for any distribution; by the monotonic clock.
    LogHistogram gap_error_ns;
    std::optional<double> gap_variation{};  ///< coefficient of variation of these gaps as sent; empty below two
    std::uint64_t gaps_within_1us = 0;      ///< number of those in gap_error_ns
    std::uint64_t gaps_within_10us = 0;
    std::uint64_t gaps_within_100us = 0;
    /// Empty: a constant rate, no model for the gaps, or too few of them.
    std::optional<DistributionFit> fit{};
    GapCounts gap_counts{};  ///< counts that `fit` is computed from

    /// Packets per second of the schedule and as sent; empty below two packets, and for all at one instant.
    [[nodiscard]] std::optional<double> scheduled_pps() const { return scheduled.rate(departures); }
    [[nodiscard]] std::optional<double> sent_pps() const { return sent.rate(packets); }
    /// Payload bits per second: these rates times the mean size of the packets sent.
    [[nodiscard]] std::optional<double> scheduled_bps() const { return bit_rate(scheduled_pps(), packets, bytes); }
    [[nodiscard]] std::optional<double> sent_bps() const { return bit_rate(sent_pps(), packets, bytes); }
    /// |sent_pps / scheduled_pps - 1|; empty if either rate is unknown.
    [[nodiscard]] std::optional<double> rate_error() const;

    /// For a meter that saw only part of the sent packets: extends counts and rates to all of them.
    void count_unmetered(std::uint64_t all_packets, std::uint64_t all_bytes);
    /// Adds departures of the requested schedule between the first and the last sent packet that were missed or could
    /// not be sent. This raises the scheduled rates.
    void count_unsent(std::uint64_t between) { departures += between; }
    /// Forgets all that compares with a schedule.
    void forget_schedule();
    /// Payload bytes of a send call, on the average. Empty without one.
    [[nodiscard]] std::optional<double> bytes_per_send() const;
};

/// Computes Fidelity packet by packet; records in order of departure. Thread: one at a time; allocates occasionally, so
/// not a sending one.
class FidelityMeter {
public:
    /// `asked`: no model: no fit.
    explicit FidelityMeter(AskedGaps asked = {});

    void add(const SentRecord& record);
    /// The same for each record; faster for many.
    void add(const SentColumns& records);
    void add(std::span<const SentRecord> records);
    /// `start`: of the run, from which times count.
    [[nodiscard]] Fidelity result(WallTime start = {}) const;

private:
    void begin(const SentRecord& first);
    /// How many of the first records have consecutive numbers and times near that of the first one; at most kStretch.
    [[nodiscard]] std::size_t plain_among(const SentColumns& records) const;
    /// Records counted by plain_among().
    void add_plain(const SentColumns& records);
    /// For packets with consecutive numbers. `first`: that of the packet that ends the first gap.
    void add_gaps(std::uint64_t first, std::span<const std::int64_t> sent_ns, std::span<const std::int64_t> error_ns);
    void count_gaps(std::uint64_t first, std::span<const std::int64_t> sent_ns);
    void add_behind(Int128 ns);

    static constexpr std::size_t kStretch = 512;

    Fidelity totals_;
    WallTime first_sent_{};
    WallTime first_scheduled_{};
    WallTime last_scheduled_{};
    SentRecord last_{};
    BatchMeter batches_;
    ExactMoments gaps_;
    std::unique_ptr<OffTimes> off_times_;
};

}  // namespace groma
