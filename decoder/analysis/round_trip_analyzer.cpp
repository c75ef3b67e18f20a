#include "decoder/analysis/round_trip_analyzer.hpp"

#include "common/time/difference.hpp"

namespace groma {

namespace {

// A log that gives no departure at all must not make the decoder keep it whole.
constexpr std::size_t kMostUndated = 1'000'000;

void add_known(LogHistogram& times, Nanos span) {
    if (not is_limited(span)) {
        times.add(span.count());
    }
}

}  // namespace

void RoundTripAnalyzer::OneWay::add(WallTime later, WallTime earlier, std::optional<Nanos> offset) {
    const Nanos apart = difference(later, earlier);
    if (is_limited(apart)) {
        return;
    }
    if (not offset and not base) {
        base = apart;  // a histogram is finest near zero
    }
    add_known(delays, apart - (offset ? *offset : *base));
}

Spread RoundTripAnalyzer::OneWay::spread(bool relative) const {
    return spread_of(delays, relative ? Nanos{delays.min()} : Nanos{0});
}

RoundTripAnalyzer::RoundTripAnalyzer(const ReturnTimes& times, TimeSeries& series) : times_(times), series_(series) {}

bool RoundTripAnalyzer::selects(const RoundTripRecord& record) const {
    if (not times_.selection->takes_size(record.size)) {
        return false;
    }
    const auto sent_at = departure(record);
    return not times_.selection->by_time() or
           (sent_at and times_.selection->takes_time(series_.departure(difference(*sent_at, times_.start))));
}

void RoundTripAnalyzer::add(const RoundTripRecord& record) {
    if (not times_.selection) {
        add_selected(record);
    } else if (departure(record) or not times_.selection->by_time()) {
        if (selects(record)) {
            add_selected(record);
        }
    } else if (unplaced_.size() < kMostUndated) {
        unplaced_.push_back(record);
    } else {
        ++never_dated_;
    }
}

void RoundTripAnalyzer::add_selected(const RoundTripRecord& record) {
    ++replies_;
    ++series_.rare_at(difference(record.returned_at, times_.start)).returned;
    if (record.seq == ReceivedRecord::kNoSeq) {
        ++unnumbered_;
    } else {
        returned_.add(record.seq);
        if (tracker_.add(record.seq) == SequenceTracker::Kind::duplicate) {
            return;
        }
    }
    if (const auto sent_at = departure(record)) {
        add_dated(record, *sent_at);
    } else if (undated_.size() < kMostUndated) {
        undated_.push_back(record);
    } else {
        ++never_dated_;
    }
}

void RoundTripAnalyzer::add_reached(const ReceivedRecord& record) {
    if (record.seq == ReceivedRecord::kNoSeq) {
        ++reached_unnumbered_;
    } else {
        reached_.add(record.seq);
    }
}

std::optional<WallTime> RoundTripAnalyzer::departure(const RoundTripRecord& record) const {
    return departure_of(record.seq, record.sent_at, times_.sent_times);
}

void RoundTripAnalyzer::add_scheduled(std::uint64_t seq, Nanos rtt) {
    if (times_.lateness == nullptr or times_.lateness->gave_up() or seq == ReceivedRecord::kNoSeq) {
        return;
    }
    if (const auto late = times_.lateness->find(seq)) {
        scheduled_rtt_.add(held_to_longest(rtt + *late).count());
    } else if (early_.size() < kMostUndated) {
        early_.emplace_back(seq, rtt);
    }
}

bool RoundTripAnalyzer::has_residence(const RoundTripRecord& record) const {
    // Otherwise the time of reflection may have another clock than that of the reply.
    return record.reflected_at != ReceivedRecord::kNoTime and record.replied_at != ReceivedRecord::kNoTime and
           times_.clock.kind != ClockState::Kind::interface;
}

bool RoundTripAnalyzer::is_impossible(const RoundTripRecord& record, WallTime sent_at) const {
    if (record.returned_at < sent_at or not has_residence(record)) {
        return record.returned_at < sent_at;
    }
    if (record.replied_at < record.reflected_at or not times_.clock.absolute()) {
        return record.replied_at < record.reflected_at;
    }
    const Nanos offset = times_.clock.offset_of_arrival(record.reflected_at, sent_at);
    return times_.clock.excludes(difference(record.reflected_at, sent_at) - offset, sent_at) or
           times_.clock.excludes(difference(record.returned_at, record.replied_at) + offset, sent_at);
}

void RoundTripAnalyzer::add_dated(const RoundTripRecord& record, WallTime sent_at) {
    const Nanos rtt = difference(record.returned_at, sent_at);
    if (is_limited(rtt)) {
        ++never_dated_;
        return;
    }
    rtt_.add(rtt.count());
    impossible_ += is_impossible(record, sent_at) ? 1 : 0;
    add_scheduled(record.seq, rtt);
    series_.rare_at(difference(record.returned_at, times_.start)).add_rtt(rtt);
    if (not has_residence(record)) {
        return;
    }
    const Nanos residence = difference(record.replied_at, record.reflected_at);
    if (is_limited(residence)) {
        return;
    }
    residence_.add(residence.count());
    add_known(network_, rtt - residence);
    std::optional<Nanos> offset;
    if (times_.clock.absolute()) {
        offset = times_.clock.offset_of_arrival(record.reflected_at, sent_at);
    }
    forward_.add(record.reflected_at, sent_at, offset);
    backward_.add(record.returned_at, record.replied_at, offset ? std::optional(-*offset) : std::nullopt);
}

void RoundTripAnalyzer::finish() {
    for (const RoundTripRecord& record : unplaced_) {
        if (selects(record)) {
            add_selected(record);
        }
    }
    unplaced_.clear();
    for (const RoundTripRecord& record : undated_) {
        if (const auto sent_at = departure(record)) {
            add_dated(record, *sent_at);
        } else {
            ++never_dated_;
        }
    }
    undated_.clear();
    for (const auto& [seq, rtt] : early_) {
        if (const auto late = times_.lateness->find(seq)) {
            scheduled_rtt_.add(held_to_longest(rtt + *late).count());
        }
    }
    early_.clear();
}

RoundTripFigures RoundTripAnalyzer::figures(bool reached_is_whole) const {
    RoundTripFigures figures;
    figures.replies = replies_;
    figures.unique = tracker_.unique() + unnumbered_;
    figures.duplicates = tracker_.duplicates();
    figures.unnumbered = unnumbered_;
    figures.undated = never_dated_;
    figures.impossible = impossible_;
    figures.rtt_ns = spread_of(rtt_);
    figures.lateness_forgotten = times_.lateness != nullptr and times_.lateness->gave_up();
    figures.scheduled_rtt_ns =
        times_.lateness == nullptr or figures.lateness_forgotten ? unknown_spread() : spread_of(scheduled_rtt_);
    figures.network_ns = spread_of(network_);
    figures.residence_ns = spread_of(residence_);
    figures.one_way_is_relative = not times_.clock.absolute();
    figures.forward_ns = forward_.spread(figures.one_way_is_relative);
    figures.backward_ns = backward_.spread(figures.one_way_is_relative);
    if (reached_is_whole and unnumbered_ == 0 and reached_unnumbered_ == 0) {
        figures.backward_lost = reached_.count_beyond(returned_);
        figures.backward_from = "both logs, packet by packet";
    }
    return figures;
}

}  // namespace groma
