#include "common/stats/fidelity.hpp"

#include <algorithm>
#include <cmath>

#include "common/time/difference.hpp"

namespace groma {

namespace {

/// Lateness up to this is counted without allocating: a minute.
constexpr std::int64_t kUsualLateness = 60'000'000'000;

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

}  // namespace

double Fidelity::rate_error() const {
    return scheduled_pps > 0 and sent_pps > 0 ? std::abs(sent_pps / scheduled_pps - 1) : 0;
}

FidelityMeter::FidelityMeter() {
    totals_.lateness_ns.reserve(kUsualLateness);
}

void FidelityMeter::add(const SentRecord& record) noexcept {
    const WallTime scheduled = scheduled_time(record);
    if (totals_.packets == 0) {
        first_sent_ = record.sent_at;
        first_scheduled_ = scheduled;
    } else if (record.lateness > std::max(difference(scheduled, last_scheduled_), Nanos{0}) / 10) {
        ++totals_.late_packets;
    }
    last_sent_ = record.sent_at;
    last_scheduled_ = scheduled;
    ++totals_.packets;
    totals_.bytes += record.size;
    totals_.lateness_ns.add(record.lateness.count());
    ++(record.batch > 1 ? totals_.batched : totals_.alone);
    totals_.largest_batch = std::max(totals_.largest_batch, record.batch);
}

Fidelity FidelityMeter::result() const {
    Fidelity result = totals_;
    result.scheduled_pps = rate(totals_.packets, first_scheduled_, last_scheduled_);
    result.sent_pps = rate(totals_.packets, first_sent_, last_sent_);
    if (totals_.packets > 0) {
        const double mean_bits = 8 * static_cast<double>(totals_.bytes) / static_cast<double>(totals_.packets);
        result.scheduled_bps = result.scheduled_pps * mean_bits;
        result.sent_bps = result.sent_pps * mean_bits;
    }
    return result;
}

}  // namespace groma
