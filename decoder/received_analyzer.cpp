#include "decoder/received_analyzer.hpp"

#include <algorithm>
#include <array>

#include "common/time/difference.hpp"
#include "decoder/size_runs.hpp"

namespace groma {

ReceivedAnalyzer::ReceivedAnalyzer(const ArrivalTimes& times, TimeSeries& series)
    : times_(times),
      relative_(times.clock == nullptr or not times.clock->absolute()),
      series_(series),
      tracker_(SequenceTracker::kUsualWindow, LossPattern(times.first_seq, times.holes)) {}

bool ReceivedAnalyzer::selects(const ReceivedRecord& record) {
    const Selection& selection = *times_.selection;
    if (not selection.takes_size(record.size)) {
        return false;
    }
    if (not selection.by_time()) {
        return true;
    }
    if (not times_.sender_start) {
        return selection.takes_time(difference(record.received_at, times_.start));
    }
    const auto sent_at = departure(record);
    unplaced_ += sent_at ? 0 : 1;
    return sent_at and selection.takes_time(difference(*sent_at, *times_.sender_start));
}

ReceivedAnalyzer::Taken ReceivedAnalyzer::add(const ReceivedRecord& record) {
    ++records_;
    if (times_.selection and not selects(record)) {
        return Taken::left_out;
    }
    add_arrival(record);
    if (record.seq == ReceivedRecord::kNoSeq) {
        ++unnumbered_;
        add_first_copy(record, false);
        return Taken::first_copy;
    }
    const SequenceKind kind = tracker_.add(record.seq);
    if (kind == SequenceKind::duplicate) {
        copies_.add(record.seq);
        return Taken::further_copy;
    }
    const bool late = kind == SequenceKind::reordered;
    if (late) {
        reordering_.add_late(record.seq);
    } else {
        reordering_.add_in_order(record.seq);
    }
    add_first_copy(record, late);
    return Taken::first_copy;
}

void ReceivedAnalyzer::add(std::span<const ReceivedRecord> records) {
    while (not records.empty()) {
        const std::size_t plain = plain_among(records);
        if (plain > 0) {
            add_plain(records.first(plain));
        } else {
            add(records.front());
        }
        records = records.subspan(std::max<std::size_t>(plain, 1));
    }
}

std::size_t ReceivedAnalyzer::plain_among(std::span<const ReceivedRecord> records) const {
    const std::uint64_t first = records.front().seq;
    if (times_.selection or not departures_ or first < tracker_.next_expected()) {
        return 0;
    }
    const std::uint64_t numbers = ReceivedRecord::kNoSeq - first;  // 0 without a number
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>({records.size(), kStretch, numbers}));
    std::size_t count = 0;
    while (count < most and records[count].seq == first + count and records[count].sent_at != ReceivedRecord::kNoTime) {
        ++count;
    }
    return count;
}

void ReceivedAnalyzer::add_plain(std::span<const ReceivedRecord> records) {
    std::array<std::int64_t, kStretch> since_start;
    std::array<std::int64_t, kStretch> gaps;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const WallTime at = records[i].received_at;
        since_start[i] = difference(at, times_.start).count();
        gaps[i] = difference(at, i == 0 ? before_ : records[i - 1].received_at).count();
        first_ = std::min(first_, at);
        last_ = std::max(last_, at);
    }
    before_ = records.back().received_at;
    records_ += records.size();
    packets_ += records.size();
    bytes_ += add_sizes(records, sizes_);
    gaps_.add(std::span(gaps).first(records.size()));
    tracker_.add_in_order(records.front().seq, records.size());
    reordering_.add_in_order(records.front().seq, records.size());
    add_delays_of(records, std::span(since_start).first(records.size()));
    if (times_.sender_start) {
        add_departures_of(records);
    }
}

void ReceivedAnalyzer::add_delays_of(std::span<const ReceivedRecord> records,
                                     std::span<const std::int64_t> since_start) {
    std::array<std::int64_t, kStretch> delays;
    std::array<std::int64_t, kStretch> changes;
    auto [first, last] = *departures_;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const WallTime sent_at = records[i].sent_at;
        const Nanos delay =
            difference(records[i].received_at, sent_at, relative_ ? *base_ : times_.clock->offset_at(sent_at));
        first = std::min(first, sent_at);
        last = std::max(last, sent_at);
        delays[i] = delay.count();
    }
    departures_ = {first, last};
    jitter_.add(std::span(delays).first(records.size()), std::span(changes).first(records.size()));
    delays_.add(std::span(delays).first(records.size()));
    ipdv_.add(records.front().seq, std::span(delays).first(records.size()));
    series_.for_each_stretch(since_start, [&](SeriesCell& cell, std::size_t begin, std::size_t count) {
        cell.received_packets += count;
        for (const ReceivedRecord& record : records.subspan(begin, count)) {
            cell.received_bytes += record.size;
        }
        cell.add_delays(std::span(delays).subspan(begin, count));
        cell.add_jitters(std::span(changes).subspan(begin, count));
    });
}

void ReceivedAnalyzer::add_departures_of(std::span<const ReceivedRecord> records) {
    std::array<std::int64_t, kStretch> since_start;
    for (std::size_t i = 0; i < records.size(); ++i) {
        since_start[i] = difference(records[i].sent_at, *times_.sender_start).count();
    }
    series_.for_each_stretch(std::span(since_start).first(records.size()),
                             [](SeriesCell& cell, std::size_t /*first*/, std::size_t count) { cell.got += count; });
}

void ReceivedAnalyzer::add_arrival(const ReceivedRecord& record) {
    if (packets_ == 0) {
        first_ = last_ = record.received_at;
    } else {
        gaps_.add(difference(record.received_at, before_).count());
        first_ = std::min(first_, record.received_at);
        last_ = std::max(last_, record.received_at);
    }
    before_ = record.received_at;
    ++packets_;
    bytes_ += record.size;
    sizes_.add(record.size);
    SeriesCell& cell = series_.at(difference(record.received_at, times_.start));
    ++cell.received_packets;
    cell.received_bytes += record.size;
}

std::optional<WallTime> ReceivedAnalyzer::departure(const ReceivedRecord& record) const {
    if (record.sent_at != ReceivedRecord::kNoTime) {
        return record.sent_at;
    }
    if (times_.sent_times == nullptr or record.seq == ReceivedRecord::kNoSeq) {
        return std::nullopt;
    }
    return times_.sent_times->find(record.seq);
}

void ReceivedAnalyzer::add_first_copy(const ReceivedRecord& record, bool late) {
    const auto sent_at = departure(record);
    if (not sent_at) {
        ++undated_;
        return;
    }
    if (times_.sender_start) {
        ++series_.at(difference(*sent_at, *times_.sender_start)).got;
    }
    if (relative_ and not base_) {
        // A histogram is finest near zero: relative delays are collected around the first one.
        base_ = difference(record.received_at, *sent_at);
    }
    const Nanos delay =
        difference(record.received_at, *sent_at, relative_ ? *base_ : times_.clock->offset_at(*sent_at));
    const auto [first, last] = departures_.value_or(std::pair(*sent_at, *sent_at));
    departures_ = {std::min(first, *sent_at), std::max(last, *sent_at)};
    delays_.add(delay.count());
    if (record.seq != ReceivedRecord::kNoSeq) {
        ipdv_.add(record.seq, delay, late);
    }
    SeriesCell& cell = series_.at(difference(record.received_at, times_.start));
    cell.add_delay(delay);
    if (const auto change = jitter_.add(delay)) {
        cell.add_jitter(*change);
    }
}

LossPatternCounts ReceivedAnalyzer::loss_pattern(std::optional<std::uint64_t> end) const {
    auto tracker = tracker_;
    tracker.finish();
    const std::uint64_t received = tracker.next_expected();
    const std::uint64_t last = std::max(end.value_or(received), received);
    tracker.observer().lost(received, last - received);
    return tracker.observer().counts(last);
}

Nanos ReceivedAnalyzer::delay_shift() const {
    return relative_ ? Nanos{delays_.min()} : Nanos{0};
}

std::optional<Nanos> ReceivedAnalyzer::delay_bound() const {
    if (relative_ or not departures_) {
        return std::nullopt;
    }
    return times_.clock->bound_between(departures_->first, departures_->second);
}

void ReceivedAnalyzer::rates(ReceivedFigures& figures) const {
    if (packets_ == 0) {
        return;
    }
    figures.first_arrival = difference(first_, times_.start);
    figures.last_arrival = difference(last_, times_.start);
    const Nanos duration = difference(last_, first_);
    if (duration > Nanos{0}) {
        figures.duration = duration;
        figures.throughput_bps = static_cast<double>(bytes_) * 8 / to_seconds(duration);
        figures.packet_rate_pps = static_cast<double>(packets_) / to_seconds(duration);
    }
}

void ReceivedAnalyzer::add_delays(ReceivedFigures& figures) const {
    const CentredHistogram::Around delays = delays_.around();
    figures.delay_ns = spread_of(delays.histogram, delay_shift() - Nanos{delays.base});
    figures.pdv_ns = spread_of(delays.histogram, Nanos{delays.histogram.min()});
    if (times_.selection and times_.selection->sizes) {
        return;  // there are others between these packets
    }
    figures.ipdv_ns = spread_of(ipdv_.variation());
    if (tracker_.beyond_window() == 0) {
        const LossPatternCounts pattern = loss_pattern({});
        const std::uint64_t pairs = pattern.good_followed - pattern.good_to_bad;
        figures.ipdv_missed = pairs - std::min(pairs, ipdv_.variation().count());
    }
}

void ReceivedAnalyzer::add_totals(const FlowTotals& totals, ReceivedFigures& figures) const {
    figures.whole = true;
    figures.records_missing = totals.packets - std::min(totals.packets, records_);
    if (not times_.selection) {
        figures.packets = std::max(totals.packets, packets_);
        figures.bytes = std::max(totals.bytes, bytes_);
        figures.bytes_missing = figures.bytes - bytes_;
        figures.counters = totals.counters;
    }
}

ReceivedFigures ReceivedAnalyzer::figures(const FlowTotals* totals) const {
    ReceivedFigures figures;
    figures.packets = packets_;
    figures.bytes = bytes_;
    figures.selected = times_.selection.has_value();
    figures.selected_by_size = times_.selection and times_.selection->sizes;
    figures.unplaced = unplaced_;
    if (totals != nullptr) {
        add_totals(*totals, figures);
    }
    figures.unique = tracker_.unique() + unnumbered_;
    figures.duplicates = tracker_.duplicates();
    figures.reordered = tracker_.reordered();
    figures.beyond_window = tracker_.beyond_window();
    figures.next_expected = tracker_.next_expected();
    figures.unnumbered = unnumbered_;
    figures.undated = undated_;
    figures.copied = copies_.unique();
    figures.reordering = reordering_.counts();
    rates(figures);
    add_delays(figures);
    if (not times_.selection or not times_.selection->sizes) {
        figures.jitter_count = jitter_.differences();
        figures.jitter_ditg_ns = jitter_.ditg_ns();
        figures.jitter_rfc3550_ns = jitter_.rfc3550_ns();
        figures.gaps_ns = spread_of(gaps_);
    }
    figures.sizes = spread_of(sizes_);
    return figures;
}

}  // namespace groma
