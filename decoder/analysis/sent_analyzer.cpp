#include "decoder/analysis/sent_analyzer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/stats/histograms/stretches.hpp"
#include "common/time/difference.hpp"
#include "common/wire/packet_header.hpp"
#include "decoder/analysis/size_runs.hpp"

namespace groma {

namespace {

constexpr std::size_t kSeqAndTime = 12;                 // bytes of the shortest header with a time
constexpr Nanos kApart = std::chrono::milliseconds(1);  // of two readings of when a run began
constexpr std::uint32_t kLongestVarint = 5;             // before the header of a frame on a stream

std::uint64_t count_of(const FlowTotals& totals, std::string_view name) {
    const auto found = std::ranges::find(totals.counters, name, &std::pair<std::string, std::uint64_t>::first);
    return found == totals.counters.end() ? 0 : found->second;
}

std::uint64_t skipped(const FlowTotals* totals) {
    return totals == nullptr ? 0 : count_of(*totals, "missed_slots");
}

/// For packets selected by size: others lie between them.
void forget_gaps(SentFigures& figures) {
    figures.gaps_ns = unknown_spread();
    figures.scales.clear();
    Fidelity& fidelity = figures.fidelity;
    fidelity.gap_error_ns = {};
    fidelity.gap_variation.reset();
    fidelity.gaps_within_1us = fidelity.gaps_within_10us = fidelity.gaps_within_100us = 0;
    fidelity.fit.reset();
    fidelity.gap_counts = {};
}

}  // namespace

SentAnalyzer::SentAnalyzer(const FlowSpec& spec, WallTime start, bool keep_times, TimeSeries& series, AskedGaps asked)
    : transport_(spec.transport),
      header_(spec.header),
      skips_(spec.lateness == LatenessPolicy::skip),
      start_(start),
      near_(start),
      keep_times_(keep_times),
      series_(series),
      fidelity_(std::move(asked)),
      constant_rate_(std::holds_alternative<Constant>(spec.idt) and not spec.on_off and not spec.rate_over_time) {}

bool SentAnalyzer::carries_time(std::uint32_t size) const {
    const std::uint32_t framing = is_stream(transport_) ? std::min(size, kLongestVarint) : 0;
    return header_size(size - framing, header_) >= kSeqAndTime;
}

void SentAnalyzer::keep_time(const SentRecord& record) {
    if (keep_times_ and not carries_time(record.size)) {
        times_.add(record.seq, record.sent_at);
    }
}

void SentAnalyzer::note_hole(const SentRecord& before, const SentRecord& after) {
    if (after.seq > before.seq) {
        holes_.add(before.seq + 1, after.seq - before.seq - 1);
    } else {
        holes_.give_up();
    }
}

bool SentAnalyzer::selects(const SentRecord& record) const {
    return not selection_ or (selection_->takes_time(series_.departure(difference(record.sent_at, start_))) and
                              selection_->takes_size(record.size));
}

bool SentAnalyzer::add(const SentRecord& record) {
    ++records_;
    keep_time(record);
    if (not selects(record)) {
        return false;
    }
    const std::int64_t lateness = record.lateness.count();
    lateness_.add(record.seq, std::span(&lateness, 1));
    if (not before_) {
        first_seq_ = record.seq;
    } else if (record.seq == before_->seq + 1) {
        gaps_.add(difference(record.sent_at, before_->sent_at).count());
    } else {
        note_hole(*before_, record);
        scales_.begin_anew();
    }
    if (thorough_) {
        scales_.add(ns_since_epoch(record.sent_at), record.lateness.count());
    }
    ++packets_;
    bytes_ += record.size;
    sizes_.add(record.size);
    fidelity_.add(record);
    ++series_.at(series_.departure(difference(record.sent_at, start_)), series_.departures()).sent_packets;
    before_ = record;
    return true;
}

void SentAnalyzer::add(const SentColumns& records) {
    for (std::size_t first = 0; first < records.count();) {
        const Plain plain = plain_among(records.part(first, kStretch));
        if (plain.count > 0) {
            add_plain(records.part(first, plain.count), plain);
        } else {
            add(records[first]);
        }
        first += std::max<std::size_t>(plain.count, 1);
    }
}

SentAnalyzer::Plain SentAnalyzer::plain_among(const SentColumns& records) const {
    if (selection_ or not before_ or before_->seq + 1 != records.seq.front() or not near_.has(before_->sent_at)) {
        return {};
    }
    const std::size_t count = neighbours_at_front(records.seq);
    const Plain plain{count, extent_of(records.sent_at.first(count))};
    const bool near = near_.has(plain.sent.least, plain.sent.most);
    return near and not is_early(plain.sent) ? plain : Plain{};
}

bool SentAnalyzer::is_early(const Extent& sent) const {
    const Nanos first{sent.least - ns_since_epoch(start_)};
    return series_.departure(first) != first;
}

void SentAnalyzer::add_plain(const SentColumns& records, const Plain& plain) {
    std::array<std::int64_t, kStretch> gaps;
    differences_of(records.sent_at, ns_since_epoch(before_->sent_at), gaps);
    gaps_.add(std::span(gaps).first(plain.count));
    if (keep_times_) {
        keep_times_of(records);
    }
    if (thorough_) {
        lateness_.add(records.seq.front(), records.lateness);
        scales_.add(records.sent_at, records.lateness);
    }
    records_ += plain.count;
    packets_ += plain.count;
    bytes_ += add_sizes(records.size, sizes_);
    fidelity_.add(records);
    series_.for_each_stretch(
        records.sent_at, plain.sent, ns_since_epoch(start_), &series_.departures(),
        [](SeriesCell& cell, std::size_t /*first*/, std::size_t count) { cell.sent_packets += count; });
    before_ = records[plain.count - 1];
}

void SentAnalyzer::keep_times_of(const SentColumns& records) {
    for (std::size_t first = 0; first < records.count();) {
        const std::size_t alike = equals_at_front(records.size.subspan(first));
        if (not carries_time(static_cast<std::uint32_t>(records.size[first]))) {
            for (std::size_t i = first; i < first + alike; ++i) {
                keep_time(records[i]);
            }
        }
        first += alike;
    }
}

TimeSpan SentAnalyzer::span_of(WallTime first, WallTime last, const TimeSpan& kept, Kept trust) const {
    const TimeSpan all{difference(first, start_), difference(last, start_)};
    const bool contains = all.first <= kept.first + kApart and kept.last <= all.last + kApart;
    const bool alike = contains and kept.first <= all.first + kApart and all.last <= kept.last + kApart;
    const bool told = first != WallTime{} and last != WallTime{};
    switch (trust) {
        case Kept::all:
            return told and alike ? all : kept;
        case Kept::in_part:
            return told and (kept.empty() or contains) ? all : TimeSpan{};
        case Kept::by_a_clock_that_was_set:
            break;
    }
    // Totals of older versions are by the clock that was set, as the records are.
    return told and not alike ? all : TimeSpan{};
}

void SentAnalyzer::add_totals(const FlowTotals& totals, SentFigures& figures) const {
    figures.whole = true;
    figures.records_missing = totals.packets - std::min(totals.packets, records_);
    figures.records_beyond = records_ - std::min(totals.packets, records_);
    if (not selection_) {
        figures.packets = std::max(totals.packets, packets_);
        figures.bytes = figures.records_missing > 0 ? std::max(totals.bytes, bytes_) : bytes_;
        figures.counters = totals.counters;
    }
}

bool SentAnalyzer::all_due_left(const FlowTotals* totals) const {
    const bool no_holes =
        not skips_ and not(selection_ and selection_->sizes) and holes_.complete() and holes_.numbers() == 0;
    if (totals == nullptr) {
        return no_holes;
    }
    const bool whole = unsent_of(totals->counters) == 0 and skipped(totals) == 0 and
                       count_of(*totals, "unsent_between") == 0 and count_of(*totals, "ended_early") == 0;
    return whole or (selection_ and no_holes);
}

void SentAnalyzer::add_spans(const FlowTotals* totals, bool clock_set, SentFigures& figures) const {
    Fidelity& fidelity = figures.fidelity;
    if (not fidelity.sent.empty()) {
        figures.recorded = {series_.departure(fidelity.sent.first), series_.departure(fidelity.sent.last)};
    }
    const Kept trust = clock_set                     ? Kept::by_a_clock_that_was_set
                       : figures.records_missing > 0 ? Kept::in_part
                                                     : Kept::all;
    if (selection_ and trust != Kept::all) {
        fidelity.sent = fidelity.scheduled = {};
    } else if (not selection_) {
        const FlowTotals told = totals == nullptr ? FlowTotals{} : *totals;
        fidelity.sent = span_of(told.first, told.last, fidelity.sent, trust);
        fidelity.scheduled = span_of(told.first_due, told.last_due, fidelity.scheduled, trust);
    }
    const bool known = not fidelity.sent.empty() and figures.packets > 1;
    figures.duration = known ? std::optional(fidelity.sent.duration()) : std::nullopt;
}

void SentAnalyzer::add_fidelity(const FlowTotals* totals, bool clock_set, SentFigures& figures) const {
    figures.fidelity = fidelity_.result(start_);
    add_spans(totals, clock_set, figures);
    figures.fidelity.count_unmetered(figures.packets, figures.bytes);
    const bool holes_are_refusals =
        not(selection_ and selection_->sizes) and (totals == nullptr or (selection_ and figures.records_missing == 0));
    const bool skipped_unknown = skips_ and (totals == nullptr or (selection_ and skipped(totals) > 0));
    if (skipped_unknown or (totals == nullptr and not holes_.complete())) {
        figures.fidelity.scheduled = {};
    }
    figures.all_due_left = all_due_left(totals);
    figures.fidelity.count_unsent(holes_are_refusals ? holes_.numbers()
                                                     : figures.counter("unsent_between").value_or(0));
    figures.lateness_ns = spread_of(figures.fidelity.lateness_ns);
    figures.gaps_ns = spread_of(gaps_);
    if (not figures.fidelity.greedy) {
        figures.scales = scales_.scales(constant_rate_);
    }
    if (selection_ and selection_->sizes) {
        forget_gaps(figures);
    }
}

SentFigures SentAnalyzer::figures(const FlowTotals* totals, bool clock_set) const {
    SentFigures figures;
    figures.packets = packets_;
    figures.bytes = bytes_;
    figures.selected = selection_.has_value();
    if (totals != nullptr) {
        add_totals(*totals, figures);
    }
    if (before_) {
        figures.first_seq = first_seq_;
        figures.end_seq = before_->seq + 1;
    }
    add_fidelity(totals, clock_set, figures);
    figures.sizes = spread_of(sizes_);
    return figures;
}

}  // namespace groma
