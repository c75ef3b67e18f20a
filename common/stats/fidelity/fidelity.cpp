#include "common/stats/fidelity/fidelity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "common/base/vectorised.hpp"
#include "common/stats/histograms/stretches.hpp"
#include "common/time/difference.hpp"
#include "common/time/vicinity.hpp"

namespace groma {

namespace {

// Records may come from a damaged or foreign log: a time that overflows counts as on time.
WallTime scheduled_time(const SentRecord& record) {
    std::int64_t ns = 0;
    const bool overflow = __builtin_sub_overflow(ns_since_epoch(record.sent_at), record.lateness.count(), &ns);
    return overflow ? record.sent_at : wall_time_from_ns(ns);
}

std::int64_t magnitude_of_difference(Nanos a, Nanos b) {
    std::int64_t result = 0;
    const bool overflow = __builtin_sub_overflow(std::max(a, b).count(), std::min(a, b).count(), &result);
    return overflow ? std::numeric_limits<std::int64_t>::max() : result;
}

/// `most`: the largest of `values`.
std::size_t count_within(std::span<const std::int64_t> values, std::int64_t limit, std::int64_t most) {
    return most <= limit ? values.size() : count_up_to(values, limit);
}

/// For departures near the first one: sums with values up to this do not overflow.
constexpr std::int64_t kMostLateness = std::int64_t{1} << 58;

/// How many packets are late by more than a tenth of the scheduled gap before them, which is the sent gap minus the
/// change of lateness. In integers late > gap / 10 is 10 late > gap.
GROMA_VECTORISED std::uint64_t count_late(std::span<const std::int64_t> lateness, std::span<const std::int64_t> gaps,
                                          std::span<const std::int64_t> changes) noexcept {
    std::uint64_t late = 0;
    for (std::size_t i = 0; i < lateness.size(); ++i) {
        late += 10 * lateness[i] > std::max(gaps[i] - changes[i], std::int64_t{0}) ? 1 : 0;
    }
    return late;
}

/// The part of the gap before each packet in which it was due. Negative gaps become 0.
GROMA_VECTORISED void take_behind(std::span<const std::int64_t> lateness, std::span<std::int64_t> gaps,
                                  std::span<std::int64_t> behind) noexcept {
    for (std::size_t i = 0; i < lateness.size(); ++i) {
        gaps[i] = std::max(gaps[i], std::int64_t{0});
        behind[i] = std::min(std::max(lateness[i], std::int64_t{0}), gaps[i]);
    }
}

}  // namespace

std::optional<double> Fidelity::rate_error() const {
    const auto asked = scheduled_pps();
    const auto left = sent_pps();
    return asked and left ? std::optional(std::abs(*left / *asked - 1)) : std::nullopt;
}

void Fidelity::count_unmetered(std::uint64_t all_packets, std::uint64_t all_bytes) {
    departures += all_packets - std::min(all_packets, packets);
    packets = all_packets;
    bytes = all_bytes;
}

void Fidelity::forget_schedule() {
    scheduled = {};
    lateness_ns = {};
    late_packets = 0;
    behind = Nanos{0};
    gap_error_ns = {};
    gap_variation = 0;
    gaps_within_1us = gaps_within_10us = gaps_within_100us = 0;
    fit.reset();
    gap_counts = {};
}

std::optional<double> Fidelity::bytes_per_send() const {
    if (packets == 0 or batch_sizes.count() == 0) {
        return std::nullopt;
    }
    const auto mean_size = static_cast<double>(bytes) / static_cast<double>(packets);
    return mean_size * static_cast<double>(alone + batched) / static_cast<double>(batch_sizes.count());
}

FidelityMeter::FidelityMeter(AskedGaps asked) : off_times_(std::move(asked.off_times)) {
    totals_.gap_counts = GapCounts(std::move(asked.model));
    totals_.greedy = asked.none;
}

void FidelityMeter::add(std::span<const SentRecord> records) {
    by_column(records, [&](const SentColumns& some) { add(some); });
}

void FidelityMeter::add(const SentColumns& records) {
    for (std::size_t first = 0; first < records.count();) {
        const std::size_t plain = plain_among(records.part(first, kStretch));
        if (plain > 0) {
            add_plain(records.part(first, plain));
        } else {
            add(records[first]);
        }
        first += std::max<std::size_t>(plain, 1);
    }
}

void FidelityMeter::begin(const SentRecord& first) {
    first_sent_ = first.sent_at;
    first_scheduled_ = last_scheduled_ = scheduled_time(first);
    totals_.behind = held_to_longest(std::max(first.lateness, Nanos{0}));
}

void FidelityMeter::add_behind(Int128 ns) {
    const Int128 sum = ns + totals_.behind.count();
    totals_.behind = Nanos{static_cast<std::int64_t>(std::min<Int128>(sum, kLongestSpan.count()))};
}

void FidelityMeter::add(const SentRecord& record) {
    if (totals_.packets == 0) {
        begin(record);
    } else {
        const WallTime scheduled = scheduled_time(record);
        const Nanos gap = std::max(difference(record.sent_at, last_.sent_at), Nanos{0});
        totals_.late_packets += record.lateness > std::max(difference(scheduled, last_scheduled_), Nanos{0}) / 10;
        add_behind(std::clamp(record.lateness, Nanos{0}, gap).count());
        if (record.seq == last_.seq + 1) {
            const std::int64_t sent = gap.count();
            const std::int64_t error = magnitude_of_difference(record.lateness, last_.lateness);
            add_gaps(record.seq, std::span(&sent, 1), std::span(&error, 1));
        }
        last_scheduled_ = scheduled;
    }
    ++totals_.packets;
    totals_.bytes += record.size;
    totals_.lateness_ns.add(record.lateness.count());
    const std::uint64_t batch = record.batch;
    const std::int64_t sent_at = ns_since_epoch(record.sent_at);
    batches_.add(std::span(&batch, 1), std::span(&sent_at, 1));
    last_ = record;
}

std::size_t FidelityMeter::plain_among(const SentColumns& records) const {
    const Vicinity near(first_sent_);
    const auto little = [](std::int64_t least, std::int64_t most) {
        return least >= -kMostLateness and most <= kMostLateness;
    };
    const std::int64_t before = last_.lateness.count();
    if (totals_.packets == 0 or records.seq.front() != last_.seq + 1 or not near.has(last_.sent_at) or
        not little(before, before)) {
        return 0;
    }
    const std::size_t count = neighbours_at_front(records.seq);
    const Extent sent = extent_of(records.sent_at.first(count));
    const Extent lateness = extent_of(records.lateness.first(count));
    return near.has(sent.least, sent.most) and little(lateness.least, lateness.most) ? count : 0;
}

void FidelityMeter::add_plain(const SentColumns& records) {
    std::array<std::int64_t, kStretch> scratch;
    std::array<std::int64_t, kStretch> all_gaps;
    std::array<std::int64_t, kStretch> all_errors;
    const std::size_t count = records.count();
    const auto gaps = std::span(all_gaps).first(count);
    const auto errors = std::span(all_errors).first(count);
    const auto behind = std::span(scratch).first(count);
    differences_of(records.sent_at, ns_since_epoch(last_.sent_at), gaps);
    differences_of(records.lateness, last_.lateness.count(), errors);
    totals_.late_packets += count_late(records.lateness, gaps, errors);
    take_behind(records.lateness, gaps, behind);
    add_behind(sum_of(behind));
    take_magnitudes(errors);
    add_gaps(records.seq.front(), gaps, errors);
    for (const std::uint64_t size : records.size) {
        totals_.bytes += size;
    }
    totals_.lateness_ns.add(records.lateness);
    batches_.add(records.batch, records.sent_at);
    totals_.packets += count;
    last_ = records[count - 1];
    last_scheduled_ = scheduled_time(last_);
}

void FidelityMeter::count_gaps(std::uint64_t first, std::span<const std::int64_t> sent_ns) {
    for (const std::int64_t gap : sent_ns) {
        const auto off = off_times_ == nullptr ? Nanos{0} : off_times_->before(first);
        if (off) {
            totals_.gap_counts.add(gap - off->count());
        }
        ++first;
    }
}

void FidelityMeter::add_gaps(std::uint64_t first, std::span<const std::int64_t> sent_ns,
                             std::span<const std::int64_t> error_ns) {
    const auto [least, most] = extent_of(sent_ns);
    gaps_.add(sent_ns, least, most);
    totals_.gap_error_ns.add(error_ns);
    const std::int64_t largest = extent_of(error_ns).most;
    totals_.gaps_within_1us += count_within(error_ns, 1'000, largest);
    totals_.gaps_within_10us += count_within(error_ns, 10'000, largest);
    totals_.gaps_within_100us += count_within(error_ns, 100'000, largest);
    if (totals_.gap_counts.has_model()) {
        count_gaps(first, sent_ns);
    }
}

Fidelity FidelityMeter::result(WallTime start) const {
    Fidelity result = totals_;
    result.alone = batches_.alone();
    result.batched = batches_.batched();
    result.largest_batch = batches_.largest();
    result.batch_sizes = batches_.sizes();
    result.departures = totals_.packets;
    if (totals_.packets > 0) {
        result.scheduled = {difference(first_scheduled_, start), difference(last_scheduled_, start)};
        result.sent = {difference(first_sent_, start), difference(last_.sent_at, start)};
    }
    if (totals_.gap_error_ns.count() > 1) {
        result.gap_variation = gaps_.mean() > 0 ? gaps_.deviation() / gaps_.mean() : 0;
    }
    PooledGaps gaps;
    gaps.add(totals_.gap_counts);
    result.fit = gaps.fit();
    if (result.greedy) {
        result.forget_schedule();
    }
    return result;
}

}  // namespace groma
