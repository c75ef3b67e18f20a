#include "decoder/results/time_series.hpp"

#include <algorithm>
#include <utility>

#include "common/stats/histograms/stretches.hpp"

namespace groma {

namespace {

double mean(Int128 sum, std::uint64_t count) {
    return static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

void SeriesCell::add_delays(std::span<const std::int64_t> delays_ns) noexcept {
    if (delays_ns.empty()) {
        return;
    }
    const Extent extent = extent_of(delays_ns);
    delays += delays_ns.size();
    delay_sum_ns += sum_of(delays_ns);
    delay_min = std::min(delay_min, Nanos{extent.least});
    delay_max = std::max(delay_max, Nanos{extent.most});
}

void RareSums::add_rtt(Nanos rtt) noexcept {
    ++rtts;
    rtt_sum_ns += rtt.count();
    rtt_min = std::min(rtt_min, rtt);
    rtt_max = std::max(rtt_max, rtt);
}

void RareSums::merge(const RareSums& other) {
    sent_further += other.sent_further;
    returned += other.returned;
    rtts += other.rtts;
    rtt_sum_ns += other.rtt_sum_ns;
    rtt_min = std::min(rtt_min, other.rtt_min);
    rtt_max = std::max(rtt_max, other.rtt_max);
}

void SeriesCell::add_jitters(std::span<const std::int64_t> changes_ns) noexcept {
    jitters += changes_ns.size();
    jitter_sum_ns += sum_of(changes_ns);
}

void SeriesCell::merge(const SeriesCell& other) {
    sent_packets += other.sent_packets;
    received_packets += other.received_packets;
    received_bytes += other.received_bytes;
    got += other.got;
    delays += other.delays;
    delay_sum_ns += other.delay_sum_ns;
    delay_min = std::min(delay_min, other.delay_min);
    delay_max = std::max(delay_max, other.delay_max);
    jitters += other.jitters;
    jitter_sum_ns += other.jitter_sum_ns;
}

void TimeSeries::keep_up() {
    const unsigned times = of_run_->doublings() - doublings_;
    if (times == 0) {
        return;
    }
    doublings_ += times;
    interval_ = of_run_->length(doublings_);
    cells_.double_intervals(times);
    for (const auto& [index, rare] : std::exchange(rare_, {})) {
        rare_[index >> times].merge(rare);
    }
    departures_.lengthen(interval_);
    arrivals_.lengthen(interval_);
    latest_ = Slot();
}

std::int64_t TimeSeries::made(std::int64_t index, unsigned doublings) {
    keep_up();
    const std::int64_t here = index >> (doublings_ - doublings);
    const unsigned apart = cells_.apart(here);
    if (apart == 0) {
        return here;
    }
    static_cast<void>(cells_[here]);
    of_run_->count_cell(doublings_, apart);
    keep_up();
    while (cells_.size() > of_run_->limits().of_series and of_run_->double_beyond(doublings_)) {
        keep_up();
    }
    return index >> (doublings_ - doublings);
}

SeriesEdges TimeSeries::lengthened(SeriesEdges edges) const {
    edges.lengthen(interval_);
    return edges;
}

RareSums& TimeSeries::rare_at(Nanos since_start) {
    return rare_[made(interval_of(since_start, interval_), doublings_)];
}

const RareSums& TimeSeries::rare_of(std::int64_t index) const {
    static const RareSums none;
    const auto found = rare_.find(index);
    return found == rare_.end() ? none : found->second;
}

void TimeSeries::find(Nanos since_start) {
    const std::int64_t index = made(interval_of(since_start, interval_), doublings_);
    latest_ = Slot(cells_[index], index * interval_, interval_);
}

void TimeSeries::merge(const TimeSeries& other) {
    keep_up();
    departures_.merge(lengthened(other.departures_));
    arrivals_.merge(lengthened(other.arrivals_));
    other.cells_.for_each(
        [&](std::int64_t index, const SeriesCell& cell) { cells_[made(index, other.doublings_)].merge(cell); });
    for (const auto& [index, rare] : other.rare_) {
        rare_[made(index, other.doublings_)].merge(rare);
    }
}

void TimeSeries::merge_departures(const TimeSeries& other) {
    keep_up();
    departures_.merge(lengthened(other.departures_));
    other.cells_.for_each([&](std::int64_t index, const SeriesCell& cell) {
        cells_[made(index, other.doublings_)].sent_packets += cell.sent_packets;
    });
}

void TimeSeries::merge_further_receiver(const TimeSeries& other) {
    keep_up();
    arrivals_.merge(lengthened(other.arrivals_));
    other.cells_.for_each([&](std::int64_t index, SeriesCell again) {
        const std::int64_t here = made(index, other.doublings_);
        rare_[here].sent_further += std::exchange(again.sent_packets, 0);
        cells_[here].merge(again);
    });
    for (const auto& [index, rare] : other.rare_) {
        rare_[made(index, other.doublings_)].merge(rare);
    }
}

TimeSeries::CoveredRate TimeSeries::rate_of(std::int64_t index, std::uint64_t packets, const Covered& of) const {
    const TimeSpan interval{index * interval_, (index + 1) * interval_};
    const TimeSpan part{std::max(interval.first, of.packets.first), std::min(interval.last, of.until)};
    if (of.packets.empty() or part.empty() or of.packets.first >= interval.last) {
        return {Nanos{0}, packets == 0 ? std::optional(0.0) : std::nullopt};
    }
    const bool begins = of.packets.first >= interval.first;
    const bool ends = of.packets.last == of.until and of.until < interval.last;
    const bool at_an_end = begins or ends;
    auto crossing = std::optional(0.0);
    if (begins != ends) {
        crossing = begins ? of.ends.share_in_first(interval) : of.ends.share_in_last(interval);
    }
    if (part.duration() == Nanos{0} or (at_an_end and packets == 1 and (begins == ends or not crossing))) {
        return {part.duration(), std::nullopt};
    }
    const auto count = static_cast<double>(packets);
    const double counted = at_an_end ? std::max(count - 1 + crossing.value_or(0.5), 0.0) : count;
    return {part.duration(), counted / to_seconds(part.duration())};
}

SeriesRow TimeSeries::row(std::int64_t index, const SeriesCell& cell, const SeriesKnowledge& known) const {
    const RareSums& rare = rare_of(index);
    SeriesRow row;
    row.t_s = to_seconds(index * interval_);
    if (known.sent) {
        row.sent_packets = cell.sent_packets;
        if (known.departures) {
            const CoveredRate rate =
                rate_of(index, cell.sent_packets, {*known.departures, known.departures->last, departures_});
            row.sent_covered_s = to_seconds(rate.covered);
            row.sent_rate_pps = rate.pps;
        }
    }
    if (known.received) {
        row.received_packets = cell.received_packets;
        row.received_bytes = cell.received_bytes;
        if (known.arrivals) {
            const Nanos until = std::max(known.arrivals->last, known.departures.value_or(TimeSpan{}).last);
            const CoveredRate rate = rate_of(index, cell.received_packets, {*known.arrivals, until, arrivals_});
            row.covered_s = to_seconds(rate.covered);
            row.packet_rate_pps = rate.pps;
            row.throughput_bps =
                cell.received_packets > 0 ? bit_rate(rate.pps, cell.received_packets, cell.received_bytes) : rate.pps;
        }
    }
    if (known.delay and cell.delays > 0) {
        row.delay_mean_ns = mean(cell.delay_sum_ns, cell.delays) - static_cast<double>(known.delay_shift.count());
        row.delay_min_ns = (cell.delay_min - known.delay_shift).count();
        row.delay_max_ns = (cell.delay_max - known.delay_shift).count();
    }
    if (known.received and cell.jitters > 0) {
        row.jitter_ns = mean(cell.jitter_sum_ns, cell.jitters);
    }
    if (known.lost) {
        const std::uint64_t due = cell.sent_packets + rare.sent_further;
        row.lost = due - std::min(due, cell.got);
    }
    if (known.returned) {
        row.returned_packets = rare.returned;
    }
    if (rare.rtts > 0) {
        row.rtt_mean_ns = mean(rare.rtt_sum_ns, rare.rtts);
        row.rtt_min_ns = rare.rtt_min.count();
        row.rtt_max_ns = rare.rtt_max.count();
    }
    return row;
}

void TimeSeries::for_each_row(const SeriesKnowledge& known, const std::function<void(const SeriesRow&)>& visit) const {
    std::int64_t next = std::max(known.from, Nanos{0}) / interval_;
    std::int64_t most_empty = known.most_empty;
    cells_.for_each([&](std::int64_t index, const SeriesCell& cell) {
        if (index > next and index - next <= std::min(kLongestHole, most_empty)) {
            most_empty -= index - next;
            for (; next < index; ++next) {
                visit(row(next, SeriesCell{}, known));
            }
        }
        visit(row(index, cell, known));
        next = std::max(next, index + 1);
    });
}

std::vector<SeriesRow> TimeSeries::rows(const SeriesKnowledge& known) const {
    std::vector<SeriesRow> rows;
    for_each_row(known, [&rows](const SeriesRow& row) { rows.push_back(row); });
    return rows;
}

void KnownSeries::for_each_row(const std::function<void(const SeriesRow&)>& visit) const {
    if (series_ != nullptr) {
        series_->keep_up();
        series_->for_each_row(known_, visit);
    }
}

std::vector<SeriesRow> KnownSeries::rows() const {
    std::vector<SeriesRow> rows;
    for_each_row([&rows](const SeriesRow& row) { rows.push_back(row); });
    return rows;
}

}  // namespace groma
