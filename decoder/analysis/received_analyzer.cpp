#include "decoder/analysis/received_analyzer.hpp"

#include <algorithm>
#include <array>

#include "common/stats/histograms/stretches.hpp"
#include "common/time/difference.hpp"

namespace groma {

namespace {

/// Of relative delays: less than this, and they need no care near the start of the run.
constexpr Nanos kFarthestBase{2 * Vicinity::kRadius};

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
    return sent_at and selection.takes_time(series_.departure(difference(*sent_at, *times_.sender_start)));
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
        not near_.has(times_.sender_start.value_or(times_.start)) or std::chrono::abs(shift()) > kFarthestBase) {
        return {};
    }
    const PlainArrivals plain = plain_among(records, near_);
    const Nanos first = difference(wall_time_from_ns(plain.sent.least), times_.sender_start.value_or(times_.start));
    return times_.sender_start and series_.departure(first) != first ? PlainArrivals{} : plain;
}

void ReceivedAnalyzer::add_plain(const ReceivedColumns& records, const PlainArrivals& plain) {
    arrivals_.add(records, plain.received);
    records_ += plain.count;
    tracker_.add_in_order(records.seq.front(), plain.count);
    reordering_.add_in_order(records.seq.front(), plain.count);
    density_.add(records.seq.front(), plain.count);
    add_delays_of(records, plain);
    if (times_.sender_start) {
        series_.for_each_stretch(records.sent_at, plain.sent, ns_since_epoch(*times_.sender_start), nullptr,
                                 [](SeriesCell& cell, std::size_t /*first*/, std::size_t count) { cell.got += count; });
    }
}

Nanos ReceivedAnalyzer::shift() const {
    return relative_ ? base_.value_or(Nanos{0}) : times_.clock->offset;
}

std::optional<Nanos> ReceivedAnalyzer::delay_of(WallTime received_at, WallTime sent_at) {
    const Nanos apart = difference(received_at, sent_at);
    if (relative_ and not base_ and not is_limited(apart)) {
        // A histogram is finest near zero: relative delays are collected around the first one.
        base_ = apart;
    }
    const Nanos delay = held_to_longest(apart - shift());
    return is_limited(apart) or is_limited(delay) ? std::nullopt : std::optional(delay);
}

void ReceivedAnalyzer::take_delays(const ReceivedColumns& records, std::span<std::int64_t> delays) const {
    differences_between(records.received_at, records.sent_at, shift().count(), delays);
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
    series_.for_each_stretch(records.received_at, plain.received, ns_since_epoch(times_.start), &series_.arrivals(),
                             [&](SeriesCell& cell, std::size_t first, std::size_t count) {
                                 cell.received_packets += count;
                                 for (const std::uint64_t size : records.size.subspan(first, count)) {
                                     cell.received_bytes += size;
                                 }
                                 cell.add_delays(delays.subspan(first, count));
                                 cell.add_jitters(changes.subspan(first, count));
                             });
    if (not relative_ and extent_of(delays).least < 0) {
        for (std::size_t i = 0; i < delays.size(); ++i) {
            count_impossible(Nanos{delays[i]}, wall_time_from_ns(records.sent_at[i]));
        }
    }
    add_scheduled(records.seq.front(), delays);
}

void ReceivedAnalyzer::count_impossible(Nanos delay, WallTime sent_at) {
    if (not relative_ and delay < Nanos{0} and times_.clock->excludes(delay, sent_at)) {
        ++impossible_;
    }
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
    SeriesCell& cell = series_.at(difference(record.received_at, times_.start), series_.arrivals());
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
        ++series_.at(series_.departure(difference(*sent_at, *times_.sender_start))).got;
    }
    if (const auto delay = delay_of(record.received_at, *sent_at)) {
        add_delay(record, *sent_at, *delay, late);
    } else {
        ++undated_;
    }
}

void ReceivedAnalyzer::add_delay(const ReceivedRecord& record, WallTime sent_at, Nanos delay, bool late) {
    const auto [first, last] = departures_.value_or(std::pair(sent_at, sent_at));
    departures_ = {std::min(first, sent_at), std::max(last, sent_at)};
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
    count_impossible(delay, sent_at);
    if (const auto change = jitter_.add(delay)) {
        cell.add_jitter(*change);
    }
    if (record.seq != ReceivedRecord::kNoSeq) {
        add_scheduled(record.seq, std::span(&delay_ns, 1));
    }
}

}  // namespace groma
