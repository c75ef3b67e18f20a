// What a ReceivedAnalyzer has to say once it has all records.
#include <algorithm>

#include "common/base/counted.hpp"
#include "common/time/difference.hpp"
#include "decoder/analysis/received_analyzer.hpp"

namespace groma {

namespace {

/// How far skew may move the same arrival apart, by the departure of its packet and by its own time.
constexpr Nanos kMovedApart = std::chrono::milliseconds(1);

}  // namespace

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
    const std::string missing = "the records of " + counted(figures.records_missing, "packet") + " are not in the log";
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

void ReceivedAnalyzer::add_copies_and_order(ReceivedFigures& figures) const {
    figures.duplicates = tracker_.duplicates();
    figures.reordered = tracker_.reordered();
    figures.reordered_among = figures.unique;
    const auto copies = figures.counter("duplicates");
    const auto late = figures.counter("reordered");
    figures.copies_counted = figures.records_missing == 0 or copies;
    if (figures.records_missing == 0 or not copies) {
        return;
    }
    figures.duplicates = std::min(*copies, figures.packets - std::min(figures.packets, figures.unique));
    if (late) {
        figures.reordered_among = figures.packets - figures.duplicates;
        figures.reordered = std::min(*late, figures.reordered_among);
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
    add_copies_and_order(figures);
    figures.beyond_window = tracker_.beyond_window();
    figures.next_expected = tracker_.next_expected();
    figures.unnumbered = unnumbered_;
    figures.undated = undated_;
    figures.impossible = impossible_;
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
