#include "common/stats/fidelity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common/time/difference.hpp"

namespace groma {

namespace {

// Records may come from a damaged or foreign log: what cannot be subtracted counts as on time.
WallTime scheduled_time(const SentRecord& record) {
    std::int64_t ns = 0;
    const bool overflow = __builtin_sub_overflow(ns_since_epoch(record.sent_at), record.lateness.count(), &ns);
    return overflow ? record.sent_at : wall_time_from_ns(ns);
}

// n packets from `first` to `last` are n - 1 gaps.
double rate(std::uint64_t packets, WallTime first, WallTime last) {
    const double seconds = to_seconds(difference(last, first));
    return packets < 2 or seconds <= 0 ? 0 : static_cast<double>(packets - 1) / seconds;
}

std::int64_t magnitude_of_difference(Nanos a, Nanos b) {
    std::int64_t result = 0;
    const bool overflow = __builtin_sub_overflow(std::max(a, b).count(), std::min(a, b).count(), &result);
    return overflow ? std::numeric_limits<std::int64_t>::max() : result;
}

/// Standard deviation (n - 1) over mean of values that are `first` and so much more, of which sums are given.
double variation(std::uint64_t values, double first, double sum, double squares) {
    if (values < 2) {
        return 0;
    }
    const double n = static_cast<double>(values);
    const double mean = first + sum / n;
    const double variance = std::max(squares - sum * sum / n, 0.0) / (n - 1);
    return mean > 0 ? std::sqrt(variance) / mean : 0;
}

}  // namespace

std::optional<double> Fidelity::rate_error() const {
    return scheduled_pps > 0 and sent_pps > 0 ? std::optional(std::abs(sent_pps / scheduled_pps - 1)) : std::nullopt;
}

void Fidelity::count_unmetered(std::uint64_t all_packets, std::uint64_t all_bytes) {
    if (packets > 1 and bytes > 0 and all_packets > packets) {
        const double more_packets = static_cast<double>(all_packets - 1) / static_cast<double>(packets - 1);
        const double more_bytes = static_cast<double>(all_bytes) / static_cast<double>(bytes);
        scheduled_pps *= more_packets;
        sent_pps *= more_packets;
        scheduled_bps *= more_bytes;
        sent_bps *= more_bytes;
    }
    packets = all_packets;
    bytes = all_bytes;
}

void Fidelity::count_unsent(std::uint64_t between) {
    if (packets > 1 and between > 0) {
        const double more = static_cast<double>(between) / static_cast<double>(packets - 1);
        scheduled_pps += scheduled_pps * more;
        scheduled_bps += scheduled_bps * more;
    }
}

FidelityMeter::FidelityMeter(std::shared_ptr<const GapModel> model) {
    totals_.gap_counts = GapCounts(std::move(model));
}

void FidelityMeter::add(std::span<const SentRecord> records) {
    for (const SentRecord& record : records) {
        add(record);
    }
}

void FidelityMeter::add(const SentRecord& record) {
    const WallTime scheduled = scheduled_time(record);
    const Nanos late = std::max(record.lateness, Nanos{0});
    if (totals_.packets == 0) {
        first_sent_ = record.sent_at;
        first_scheduled_ = scheduled;
        totals_.behind = held_to_longest(late);
    } else {
        const Nanos gap = std::max(difference(record.sent_at, last_.sent_at), Nanos{0});
        totals_.late_packets += record.lateness > std::max(difference(scheduled, last_scheduled_), Nanos{0}) / 10;
        totals_.behind = held_to_longest(totals_.behind + held_to_longest(std::min(late, gap)));
        if (record.seq == last_.seq + 1) {
            add_gap(gap.count(), magnitude_of_difference(record.lateness, last_.lateness));
        }
    }
    add_to_batches(record);
    last_scheduled_ = scheduled;
    last_ = record;
    ++totals_.packets;
    totals_.bytes += record.size;
    totals_.lateness_ns.add(record.lateness.count());
}

void FidelityMeter::add_gap(std::int64_t gap_ns, std::int64_t error_ns) {
    const double gap = static_cast<double>(gap_ns);
    if (totals_.gap_error_ns.count() == 0) {
        first_gap_ = gap;
    }
    gap_sum_ += gap - first_gap_;
    gap_squares_ += (gap - first_gap_) * (gap - first_gap_);
    totals_.gap_error_ns.add(error_ns);
    totals_.gaps_within_1us += error_ns <= 1'000;
    totals_.gaps_within_10us += error_ns <= 10'000;
    totals_.gaps_within_100us += error_ns <= 100'000;
    if (totals_.gap_counts.has_model()) {
        totals_.gap_counts.add(gap_ns);
    }
}

// Packets of one call share its stamp; where records are missing, the next call begins with another.
void FidelityMeter::add_to_batches(const SentRecord& record) {
    ++(record.batch > 1 ? totals_.batched : totals_.alone);
    totals_.largest_batch = std::max(totals_.largest_batch, record.batch);
    if (rest_of_batch_ > 0 and record.batch == last_.batch and record.sent_at == last_.sent_at) {
        --rest_of_batch_;
        return;
    }
    totals_.batch_sizes.add(record.batch);
    rest_of_batch_ = record.batch > 0 ? record.batch - 1 : 0;
}

Fidelity FidelityMeter::result() const {
    Fidelity result = totals_;
    result.scheduled_pps = rate(totals_.packets, first_scheduled_, last_scheduled_);
    result.sent_pps = rate(totals_.packets, first_sent_, last_.sent_at);
    if (totals_.packets > 0) {
        const double mean_bits = 8 * static_cast<double>(totals_.bytes) / static_cast<double>(totals_.packets);
        result.scheduled_bps = result.scheduled_pps * mean_bits;
        result.sent_bps = result.sent_pps * mean_bits;
    }
    result.gap_variation = variation(totals_.gap_error_ns.count(), first_gap_, gap_sum_, gap_squares_);
    PooledGaps gaps;
    gaps.add(totals_.gap_counts);
    result.fit = gaps.fit();
    return result;
}

}  // namespace groma
