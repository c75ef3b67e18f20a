#include "common/stats/fidelity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "common/stats/stretches.hpp"
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

/// `most`: the largest of them.
std::size_t count_within(std::span<const std::int64_t> values, std::int64_t limit, std::int64_t most) {
    return most <= limit ? values.size() : count_up_to(values, limit);
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

struct FidelityMeter::Gaps {
    static constexpr std::size_t kMost = 512;

    void add(std::int64_t sent_ns, std::int64_t error_ns) {
        sent[count] = sent_ns;
        error[count] = error_ns;
        ++count;
    }

    std::array<std::int64_t, kMost> sent;
    std::array<std::int64_t, kMost> error;
    std::size_t count = 0;
};

FidelityMeter::FidelityMeter(std::shared_ptr<const GapModel> model) {
    totals_.gap_counts = GapCounts(std::move(model));
}

void FidelityMeter::add(std::span<const SentRecord> records) {
    while (not records.empty()) {
        const std::size_t count = std::min(records.size(), Gaps::kMost);
        add_stretch(records.first(count));
        records = records.subspan(count);
    }
}

void FidelityMeter::begin(const SentRecord& first) {
    first_sent_ = first.sent_at;
    first_scheduled_ = last_scheduled_ = scheduled_time(first);
    totals_.behind = held_to_longest(std::max(first.lateness, Nanos{0}));
}

void FidelityMeter::add_stretch(std::span<const SentRecord> records) {
    Gaps gaps;  // left as it is but for its count
    std::array<std::int64_t, Gaps::kMost> lateness;
    Int128 behind = totals_.behind.count();
    for (std::size_t i = 0; i < records.size(); ++i) {
        const SentRecord& record = records[i];
        lateness[i] = record.lateness.count();
        totals_.bytes += record.size;
        if (i == 0 and totals_.packets == 0) {
            begin(record);
            behind = totals_.behind.count();
            continue;
        }
        const SentRecord& before = i == 0 ? last_ : records[i - 1];
        const WallTime scheduled = scheduled_time(record);
        const Nanos gap = std::max(difference(record.sent_at, before.sent_at), Nanos{0});
        totals_.late_packets += record.lateness > std::max(difference(scheduled, last_scheduled_), Nanos{0}) / 10;
        behind += std::clamp(record.lateness, Nanos{0}, gap).count();
        if (record.seq == before.seq + 1) {
            gaps.add(gap.count(), magnitude_of_difference(record.lateness, before.lateness));
        }
        last_scheduled_ = scheduled;
    }
    totals_.behind = Nanos{static_cast<std::int64_t>(std::min<Int128>(behind, kLongestSpan.count()))};
    totals_.packets += records.size();
    totals_.lateness_ns.add(std::span(lateness).first(records.size()));
    add_gaps(gaps);
    add_to_batches(records);
    last_ = records.back();
}

void FidelityMeter::add_gaps(const Gaps& gaps) {
    const auto sent = std::span(gaps.sent).first(gaps.count);
    const auto error = std::span(gaps.error).first(gaps.count);
    if (sent.empty()) {
        return;
    }
    const auto [least, most] = extent_of(sent);
    gaps_.add(sent, least, most);
    totals_.gap_error_ns.add(error);
    const std::int64_t largest = extent_of(error).most;
    totals_.gaps_within_1us += count_within(error, 1'000, largest);
    totals_.gaps_within_10us += count_within(error, 10'000, largest);
    totals_.gaps_within_100us += count_within(error, 100'000, largest);
    if (totals_.gap_counts.has_model()) {
        for (const std::int64_t gap : sent) {
            totals_.gap_counts.add(gap);
        }
    }
}

// Packets of one call share its stamp; where records are missing, the next call begins with another.
void FidelityMeter::add_to_batches(std::span<const SentRecord> records) {
    std::uint32_t size = 0;
    std::uint64_t calls = 0;  // of that many packets, one after the other
    const SentRecord* before = &last_;
    for (const SentRecord& record : records) {
        ++(record.batch > 1 ? totals_.batched : totals_.alone);
        if (rest_of_batch_ > 0 and record.batch == before->batch and record.sent_at == before->sent_at) {
            --rest_of_batch_;
        } else {
            if (record.batch != size) {
                totals_.batch_sizes.add(size, calls);
                totals_.largest_batch = std::max(totals_.largest_batch, record.batch);
                size = record.batch;
                calls = 0;
            }
            ++calls;
            rest_of_batch_ = record.batch > 0 ? record.batch - 1 : 0;
        }
        before = &record;
    }
    totals_.batch_sizes.add(size, calls);
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
    if (gaps_.mean() > 0) {
        result.gap_variation = gaps_.deviation() / gaps_.mean();
    }
    PooledGaps gaps;
    gaps.add(totals_.gap_counts);
    result.fit = gaps.fit();
    return result;
}

}  // namespace groma
