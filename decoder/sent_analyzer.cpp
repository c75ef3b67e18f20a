#include "decoder/sent_analyzer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/time/difference.hpp"
#include "common/wire/packet_header.hpp"
#include "decoder/size_runs.hpp"

namespace groma {

namespace {

constexpr std::size_t kSeqAndTime = 12;      // bytes of header with a time in them
constexpr std::uint32_t kLongestVarint = 5;  // before the header of a frame on a stream

/// Of packets of some sizes: there are others between them.
void forget_gaps(SentFigures& figures) {
    figures.gaps_ns = {};
    Fidelity& fidelity = figures.fidelity;
    fidelity.gap_error_ns = {};
    fidelity.gap_variation = 0;
    fidelity.gaps_within_1us = fidelity.gaps_within_10us = fidelity.gaps_within_100us = 0;
    fidelity.fit.reset();
    fidelity.gap_counts = {};
}

}  // namespace

SentAnalyzer::SentAnalyzer(const FlowSpec& spec, WallTime start, bool keep_times, TimeSeries& series,
                           std::shared_ptr<const GapModel> asked)
    : transport_(spec.transport),
      header_(spec.header),
      start_(start),
      keep_times_(keep_times),
      series_(series),
      fidelity_(std::move(asked)) {}

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
    return not selection_ or
           (selection_->takes_time(difference(record.sent_at, start_)) and selection_->takes_size(record.size));
}

bool SentAnalyzer::add(const SentRecord& record) {
    if (not selects(record)) {
        ++records_;
        keep_time(record);
        return false;
    }
    add_stretch(std::span(&record, 1));
    return true;
}

void SentAnalyzer::add(std::span<const SentRecord> records) {
    while (not records.empty()) {
        const std::size_t count = selection_ ? 1 : std::min(records.size(), kStretch);
        if (selection_) {
            add(records.front());
        } else {
            add_stretch(records.first(count));
        }
        records = records.subspan(count);
    }
}

void SentAnalyzer::add_stretch(std::span<const SentRecord> records) {
    std::array<std::int64_t, kStretch> since_start;
    std::array<std::int64_t, kStretch> gaps;
    std::size_t neighbours = 0;
    const SentRecord* before = before_ ? &*before_ : nullptr;
    if (before == nullptr) {
        first_ = records.front().sent_at;
        first_seq_ = records.front().seq;
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        const SentRecord& record = records[i];
        keep_time(record);
        since_start[i] = difference(record.sent_at, start_).count();
        if (before != nullptr and record.seq == before->seq + 1) {
            gaps[neighbours++] = difference(record.sent_at, before->sent_at).count();
        } else if (before != nullptr) {
            note_hole(*before, record);
        }
        before = &record;
    }
    records_ += records.size();
    packets_ += records.size();
    bytes_ += add_sizes(records, sizes_);
    fidelity_.add(records);
    gaps_.add(std::span(gaps).first(neighbours));
    series_.for_each_stretch(
        std::span(since_start).first(records.size()),
        [](SeriesCell& cell, std::size_t /*first*/, std::size_t count) { cell.sent_packets += count; });
    before_ = records.back();
}

void SentAnalyzer::add_totals(const FlowTotals& totals, SentFigures& figures) const {
    figures.whole = true;
    figures.records_missing = totals.packets - std::min(totals.packets, records_);
    if (not selection_) {
        figures.packets = std::max(totals.packets, packets_);
        figures.bytes = std::max(totals.bytes, bytes_);
        figures.counters = totals.counters;
    }
}

void SentAnalyzer::add_fidelity(SentFigures& figures) const {
    figures.fidelity = fidelity_.result();
    figures.fidelity.count_unmetered(figures.packets, figures.bytes);
    const bool holes_are_refusals = selection_ and not selection_->sizes and figures.records_missing == 0;
    figures.fidelity.count_unsent(holes_are_refusals ? holes_.numbers()
                                                     : figures.counter("unsent_between").value_or(0));
    figures.lateness_ns = spread_of(figures.fidelity.lateness_ns);
    figures.gaps_ns = spread_of(gaps_);
    if (selection_ and selection_->sizes) {
        forget_gaps(figures);
    }
}

SentFigures SentAnalyzer::figures(const FlowTotals* totals) const {
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
    if (packets_ >= 2) {
        figures.duration = difference(before_->sent_at, first_);
    }
    add_fidelity(figures);
    figures.sizes = spread_of(sizes_);
    return figures;
}

}  // namespace groma
