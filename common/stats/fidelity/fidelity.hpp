// The instrument's own error: what was asked for against what was sent, from the sender's records
// (docs/reference/metrics.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "common/base/int128.hpp"
#include "common/stats/fidelity/distribution_fit.hpp"
#include "common/stats/fidelity/gap_counts.hpp"
#include "common/stats/fidelity/gap_model.hpp"
#include "common/stats/histograms/exact_moments.hpp"
#include "common/stats/histograms/log_histogram.hpp"
#include "common/time/instant.hpp"
#include "common/wire/column_view.hpp"
#include "common/wire/records.hpp"

namespace groma {

struct Fidelity {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    /// Packets a second of the schedule (first to last scheduled departure) and of what was sent (first to last
    /// sent); 0 below two packets.
    double scheduled_pps = 0;
    double sent_pps = 0;
    double scheduled_bps = 0;  ///< payload bits: the packet rate times the mean size
    double sent_bps = 0;
    LogHistogram lateness_ns;        ///< actual minus scheduled departure
    std::uint64_t late_packets = 0;  ///< late by more than a tenth of the gap before them
    std::uint64_t alone = 0;         ///< packets that went with a send call of their own
    std::uint64_t batched = 0;       ///< packets that shared one
    std::uint32_t largest_batch = 0;
    LogHistogram batch_sizes;  ///< packets in each send call
    Nanos behind{0};           ///< the time during which a packet was due and had not left
    /// |gap sent - gap scheduled| of packets with consecutive numbers, whatever the distribution; by the monotonic
    /// clock.
    LogHistogram gap_error_ns;
    double gap_variation = 0;           ///< coefficient of variation of these gaps as sent; 0 below two of them
    std::uint64_t gaps_within_1us = 0;  ///< of those in gap_error_ns
    std::uint64_t gaps_within_10us = 0;
    std::uint64_t gaps_within_100us = 0;
    /// Nothing: a constant rate, no model for the gaps, or too few of them.
    std::optional<DistributionFit> fit{};
    GapCounts gap_counts{};  ///< what `fit` is made from

    /// |sent_pps / scheduled_pps - 1|; nothing when either rate is not known: below two packets, or all at one instant.
    [[nodiscard]] std::optional<double> rate_error() const;

    /// So many were sent in all, of which the meter had no more than some: counts and rates become those of all.
    void count_unmetered(std::uint64_t all_packets, std::uint64_t all_bytes);
    /// The schedule that was asked for has so many departures more between the first and the last packet sent, which
    /// were missed or could not be sent: its rates are raised by them.
    void count_unsent(std::uint64_t between);
};

/// Collects Fidelity packet by packet; records in order of departure. Thread: one at a time; allocates now and then, so
/// not a sending one.
class FidelityMeter {
public:
    /// `model` of the gaps that were asked for; null: no fit is made.
    explicit FidelityMeter(std::shared_ptr<const GapModel> model = nullptr);

    void add(const SentRecord& record);
    /// The same for each of them, faster where they are many.
    void add(const SentColumns& records);
    void add(std::span<const SentRecord> records);
    [[nodiscard]] Fidelity result() const;

private:
    void begin(const SentRecord& first);
    /// How many of the first records are of packets whose numbers follow those before them, with times near those of
    /// the first one; no more than kStretch.
    [[nodiscard]] std::size_t plain_among(const SentColumns& records) const;
    /// Such ones.
    void add_plain(const SentColumns& records);
    /// Between packets with consecutive numbers.
    void add_gaps(std::span<const std::int64_t> sent_ns, std::span<const std::int64_t> error_ns);
    void add_behind(Int128 ns);
    void add_to_batches(std::span<const std::uint64_t> batches, std::span<const std::int64_t> sent_at);
    void count_calls(std::uint64_t size, std::uint64_t calls);

    static constexpr std::size_t kStretch = 512;

    Fidelity totals_;
    WallTime first_sent_{};
    WallTime first_scheduled_{};
    WallTime last_scheduled_{};
    SentRecord last_{};
    std::uint32_t rest_of_batch_ = 0;  ///< packets that are still to come of the last send call
    ExactMoments gaps_;
};

}  // namespace groma
