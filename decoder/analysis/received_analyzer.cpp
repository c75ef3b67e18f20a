#include "decoder/analysis/received_analyzer.hpp"

#include <algorithm>
#include <array>

#include "common/stats/histograms/stretches.hpp"
#include "common/time/difference.hpp"

namespace groma {

namespace {

/// Of relative delays: less than this, and they need no care near the start of the run.
constexpr Nanos kFarthestBase{2 * Vicinity::kRadius};
/// How far skew may move the same arrival apart, by the departure of its packet and by its own time.
constexpr Nanos kMovedApart = std::chrono::milliseconds(1);

}  // namespace

ReceivedAnalyzer::ReceivedAnalyzer(const ArrivalTimes& times, TimeSeries& series)
    : times_(times),
      near_(times.start),
      relative_(times.clock == nullptr or not times.clock->absolute()),
      moves_(not relative_ and times.clock->kind == ClockState::Kind::probed),
      series_(series),
      tracker_(SequenceTracker::kUsualWindow, LossPattern(times.first_seq, times.holes)),
      density_(times.first_seq) {
    if (times_.thorough) {
        arrivals_.be_thorough();
    }
}

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
    const auto sent_at = departure_of(record.seq, record.sent_at, times_.sent_times);
    unplaced_ += sent_at ? 0 : 1;
    return sent_at and selection.takes_time(difference(*sent_at, *times_.sender_start));
}

void ReceivedAnalyzer::begin_with(const ReceivedRecord& first) {
    const auto sent_at = departure_of(first.seq, first.sent_at, times_.sent_times);
    const Nanos since = sent_at and times_.sender_start ? difference(*sent_at, *times_.sender_start) : Nanos{0};
    times_.start = moved(first.received_at, -since);
    near_ = Vicinity(times_.start);
}

WallTime ReceivedAnalyzer::steady(WallTime received_at, std::optional<WallTime> sent_at) const {
    return times_.clock->steady(received_at, sent_at.value_or(moved(received_at, -times_.clock->offset)));
}

ReceivedAnalyzer::Taken ReceivedAnalyzer::add(const ReceivedRecord& record) {
    if (not moves_) {
        return add_steady(record);
    }
    ReceivedRecord moved_record = record;
    moved_record.received_at = steady(record.received_at, departure_of(record.seq, record.sent_at, times_.sent_times));
    return add_steady(moved_record);
}

ReceivedAnalyzer::Taken ReceivedAnalyzer::add_steady(const ReceivedRecord& record) {
    if (records_ == 0 and times_.clock != nullptr and times_.clock->kind == ClockState::Kind::interface) {
        begin_with(record);
    }
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
        copied_bytes_ += record.size;
        return Taken::further_copy;
    }
    const bool late = kind == SequenceKind::reordered;
    if (late) {
        reordering_.add_late(record.seq);
    } else {
        reordering_.add_in_order(record.seq);
    }
    density_.add(record.seq);
    add_first_copy(record, late);
    return Taken::first_copy;
}

void ReceivedAnalyzer::add(const ReceivedColumns& records) {
    if (not moves_) {
        add_steady(records);
        return;
    }
    std::array<std::int64_t, Arrivals::kMostTogether> received_at;
    for (std::size_t first = 0; first < records.count();) {
        ReceivedColumns part = records.part(first, received_at.size());
        for (std::size_t i = 0; i < part.count(); ++i) {
            const ReceivedRecord record = part[i];
            received_at[i] =
                ns_since_epoch(steady(record.received_at, departure_of(record.seq, record.sent_at, times_.sent_times)));
        }
        part.received_at = std::span(received_at).first(part.count());
        add_steady(part);
        first += part.count();
    }
}

void ReceivedAnalyzer::add_steady(const ReceivedColumns& records) {
    for (std::size_t first = 0; first < records.count();) {
        const PlainArrivals plain = plain_at_front(records.part(first, Arrivals::kMostTogether));
        if (plain.count > 0) {
            add_plain(records.part(first, plain.count), plain);
        } else {
            add_steady(records[first]);
        }
        first += std::max<std::size_t>(plain.count, 1);
    }
}

PlainArrivals ReceivedAnalyzer::plain_at_front(const ReceivedColumns& records) const {
    if (times_.selection or not departures_ or records.seq.front() < tracker_.next_expected() or
        not near_.has(times_.sender_start.value_or(times_.start))) {
        return {};
    }
    return plain_among(records, near_);
}

void ReceivedAnalyzer::add_plain(const ReceivedColumns& records, const PlainArrivals& plain) {
    arrivals_.add(records, plain.received);
    records_ += plain.count;
    tracker_.add_in_order(records.seq.front(), plain.count);
    reordering_.add_in_order(records.seq.front(), plain.count);
    density_.add(records.seq.front(), plain.count);
    add_delays_of(records, plain);
    if (times_.sender_start) {
        series_.for_each_stretch(records.sent_at, plain.sent, ns_since_epoch(*times_.sender_start),
                                 [](SeriesCell& cell, std::size_t /*first*/, std::size_t count) { cell.got += count; });
    }
}

void ReceivedAnalyzer::take_delays(const ReceivedColumns& records, std::span<std::int64_t> delays) const {
    const Nanos less = relative_ ? *base_ : times_.clock->offset;
    if (std::chrono::abs(less) <= kFarthestBase) {
        differences_between(records.received_at, records.sent_at, less.count(), delays);
        return;
    }
    for (std::size_t i = 0; i < delays.size(); ++i) {
        const WallTime sent_at = wall_time_from_ns(records.sent_at[i]);
        delays[i] = difference(wall_time_from_ns(records.received_at[i]), sent_at, less).count();
    }
}

void ReceivedAnalyzer::add_delays_of(const ReceivedColumns& records, const PlainArrivals& plain) {
    std::array<std::int64_t, Arrivals::kMostTogether> all_delays;
    std::array<std::int64_t, Arrivals::kMostTogether> all_changes;
    const auto delays = std::span(all_delays).first(plain.count);
    const auto changes = std::span(all_changes).first(plain.count);
    take_delays(records, delays);
    departures_ = {std::min(departures_->first, wall_time_from_ns(plain.sent.least)),
                   std::max(departures_->second, wall_time_from_ns(plain.sent.most))};
    jitter_.add(delays, changes);
    delays_.add(delays);
    delay_means_.add(delays);
    if (times_.voice) {
        mapdv_.add(delays);
    }
    ipdv_.add(records.seq.front(), delays);
    series_.for_each_stretch(records.received_at, plain.received, ns_since_epoch(times_.start),
                             [&](SeriesCell& cell, std::size_t first, std::size_t count) {
                                 cell.received_packets += count;
                                 for (const std::uint64_t size : records.size.subspan(first, count)) {
                                     cell.received_bytes += size;
                                 }
                                 cell.add_delays(delays.subspan(first, count));
                                 cell.add_jitters(changes.subspan(first, count));
                             });
    add_scheduled(records.seq.front(), delays);
}

void ReceivedAnalyzer::add_scheduled(std::uint64_t first, std::span<std::int64_t> delays) {
    if (times_.lateness == nullptr) {
        return;
    }
    if (times_.lateness->add_to(first, delays)) {
        scheduled_delays_.add(delays);
        return;
    }
    for (std::size_t i = 0; i < delays.size(); ++i) {
        if (const auto late = times_.lateness->find(first + i)) {
            scheduled_delays_.add(held_to_longest(Nanos{delays[i]} + *late).count());
        }
    }
}

void ReceivedAnalyzer::add_arrival(const ReceivedRecord& record) {
    arrivals_.add(record);
    SeriesCell& cell = series_.at(difference(record.received_at, times_.start));
    ++cell.received_packets;
    cell.received_bytes += record.size;
}

void ReceivedAnalyzer::add_first_copy(const ReceivedRecord& record, bool late) {
    const auto sent_at = departure_of(record.seq, record.sent_at, times_.sent_times);
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
    const Nanos delay = difference(record.received_at, *sent_at, relative_ ? *base_ : times_.clock->offset);
    const auto [first, last] = departures_.value_or(std::pair(*sent_at, *sent_at));
    departures_ = {std::min(first, *sent_at), std::max(last, *sent_at)};
    std::int64_t delay_ns = delay.count();
    delays_.add(delay_ns);
    delay_means_.add(std::span(&delay_ns, 1));
    if (times_.voice) {
        mapdv_.add(std::span(&delay_ns, 1));
    }
    if (record.seq != ReceivedRecord::kNoSeq) {
        ipdv_.add(record.seq, delay, late);
    }
    SeriesCell& cell = series_.at(difference(record.received_at, times_.start));
    cell.add_delay(delay);
    if (const auto change = jitter_.add(delay)) {
        cell.add_jitter(*change);
    }
    if (record.seq != ReceivedRecord::kNoSeq) {
        add_scheduled(record.seq, std::span(&delay_ns, 1));
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
    const CentredHistogram::Around delays = delays_.around();
    const Nanos longest{std::max<std::int64_t>(delays.histogram.max() + delays.base, 0)};
    return times_.clock->bound_between(departures_->first, moved(departures_->second, longest));
}

void ReceivedAnalyzer::add_delays(ReceivedFigures& figures) const {
    const CentredHistogram::Around delays = delays_.around();
    figures.delay_ns = spread_of(delays.histogram, delay_shift() - Nanos{delays.base});
    const CentredHistogram::Around scheduled = scheduled_delays_.around();
    figures.lateness_forgotten = times_.lateness != nullptr and times_.lateness->gave_up();
    figures.scheduled_delay_ns = times_.lateness == nullptr or figures.lateness_forgotten
                                     ? unknown_spread()
                                     : spread_of(scheduled.histogram, delay_shift() - Nanos{scheduled.base});
    if (not times_.selection or not times_.selection->sizes) {
        figures.delay_mean_error_ns = delay_means_.error();
    }
    figures.pdv_ns = spread_of(delays.histogram, Nanos{delays.histogram.min()});
    if (times_.selection and times_.selection->sizes) {
        figures.ipdv_ns = figures.gaps_ns = unknown_spread();  // there are others between these packets
        return;
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
    figures.records_beyond = records_ - std::min(totals.packets, records_);
    if (not times_.selection) {
        figures.packets = std::max(totals.packets, arrivals_.packets());
        figures.bytes = figures.records_missing > 0 ? std::max(totals.bytes, arrivals_.bytes()) : arrivals_.bytes();
        figures.counters = totals.counters;
    }
    if (figures.records_missing > 0) {
        add_missing(totals, figures);
    }
}

void ReceivedAnalyzer::add_missing(const FlowTotals& totals, ReceivedFigures& figures) const {
    const std::string missing =
        "the records of " + std::to_string(figures.records_missing) + " packets are not in the log";
    if (times_.selection) {
        figures.rates_unknown_because = missing + ", which may be among those selected";
    } else if (records_ == 0 and times_.clock != nullptr and times_.clock->kind == ClockState::Kind::interface) {
        figures.rates_unknown_because = missing + ", and their times have the interface's clock";
    } else if (totals.first == WallTime{}) {
        figures.rates_unknown_because = missing + ", which may be the first or the last";
    } else {
        const auto since_start = [&](WallTime at, std::optional<WallTime> sent_at) {
            return difference(moves_ ? steady(at, sent_at) : at, times_.start);
        };
        const TimeSpan all{since_start(totals.first, departures_ ? std::optional(departures_->first) : std::nullopt),
                           since_start(totals.last, departures_ ? std::optional(departures_->second) : std::nullopt)};
        const TimeSpan& kept = figures.arrivals;
        const Nanos apart = moves_ ? kMovedApart : Nanos{0};
        if (all.empty() or (not kept.empty() and (kept.first < all.first - apart or kept.last > all.last + apart))) {
            figures.rates_unknown_because = missing + ", and its totals contradict the others";
        } else {
            figures.arrivals.include(all);
        }
    }
}

ReceivedFigures ReceivedAnalyzer::figures(const FlowTotals* totals) const {
    ReceivedFigures figures;
    arrivals_.tell(times_.start, figures);
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
    if (figures.records_missing == 0) {
        figures.unique_bytes = figures.bytes - copied_bytes_;
    }
    figures.reordering = reordering_.counts();
    figures.density = density_.counts();
    add_delays(figures);
    if (not times_.selection or not times_.selection->sizes) {
        figures.jitter_count = jitter_.differences();
        if (figures.jitter_count > 0) {
            figures.jitter_ditg_ns = jitter_.ditg_ns();
            figures.mapdv2_ns = mapdv_.mapdv2_ns();
            figures.jitter_rfc3550_ns = jitter_.rfc3550_ns();
            figures.jitter_rfc3550_mean_ns = jitter_.rfc3550_mean_ns();
            figures.jitter_rfc3550_max_ns = jitter_.rfc3550_max_ns();
        }
        figures.gaps_ns = spread_of(arrivals_.gaps());
        figures.arrival_scales = arrivals_.scales().scales(false);
    }
    return figures;
}

}  // namespace groma
