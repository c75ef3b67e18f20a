// What the receiver's records of one flow say: delay and its variation, loss pattern, duplicates, reordering, and
// arrivals per interval.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "common/log/run_metadata.hpp"
#include "common/stats/histograms/batch_means.hpp"
#include "common/stats/histograms/centred_histogram.hpp"
#include "common/stats/histograms/delay_variation.hpp"
#include "common/stats/histograms/jitter.hpp"
#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/histograms/mapdv.hpp"
#include "common/stats/sequence/loss_pattern.hpp"
#include "common/stats/sequence/reorder_density.hpp"
#include "common/stats/sequence/reordering.hpp"
#include "common/stats/sequence/sequence_tracker.hpp"
#include "common/time/vicinity.hpp"
#include "common/wire/column_view.hpp"
#include "common/wire/records.hpp"
#include "decoder/analysis/arrivals.hpp"
#include "decoder/analysis/departure_lateness.hpp"
#include "decoder/analysis/plain_arrivals.hpp"
#include "decoder/analysis/sent_times.hpp"
#include "decoder/results/clock_state.hpp"
#include "decoder/results/results.hpp"
#include "decoder/results/selection.hpp"
#include "decoder/results/time_series.hpp"

namespace groma {

/// How the two sides' times are related.
struct ArrivalTimes {
    WallTime start{};                       ///< of the run, on the receiver's clock
    std::optional<WallTime> sender_start;   ///< the same on the sender's clock, with the sender's log
    const ClockState* clock = nullptr;      ///< null or not absolute: delays are relative; outlives the analyzer
    const SentTimes* sent_times = nullptr;  ///< of packets that do not carry their departure; outlives the analyzer
    const DepartureLateness* lateness = nullptr;  ///< null without the sender's log; outlives the analyzer
    std::optional<std::uint64_t> first_seq{0};    ///< of the flow; empty: unknown
    const SequenceHoles* holes = nullptr;         ///< numbers that were never sent; outlive the analyzer; null: unknown
    bool thorough = false;                        ///< scales of gaps, too
    bool voice = false;                           ///< of a profile of voice
    std::optional<Selection>
        selection{};  ///< only these packets; by time of departure, or of arrival without sender_start
};

class ReceivedAnalyzer {
public:
    /// The series outlives the analyzer.
    ReceivedAnalyzer(const ArrivalTimes& times, TimeSeries& series);

    enum class Taken : std::uint8_t { first_copy, further_copy, left_out };

    /// In order of arrival. Returns: what the packet is; `first_copy` also if that is uncertain.
    Taken add(const ReceivedRecord& record);
    /// The same for each record; faster where packets came in order.
    void add(const ReceivedColumns& records);

    /// `totals`: of this flow, from the end of the log; null if the log was cut short.
    [[nodiscard]] ReceivedFigures figures(const FlowTotals* totals) const;

    /// The delays as collected; reports subtract delay_shift().
    [[nodiscard]] const CentredHistogram& delays() const { return delays_; }
    /// The same from the scheduled departures on, of packets whose lateness is known.
    [[nodiscard]] const CentredHistogram& scheduled_delays() const { return scheduled_delays_; }
    /// 0, or the smallest delay when delays are relative.
    [[nodiscard]] Nanos delay_shift() const;
    [[nodiscard]] const LogHistogram& ipdv() const { return ipdv_.variation(); }
    /// `end`: one more than the last number that was sent; empty: the pattern ends with the last that was received.
    [[nodiscard]] LossPatternCounts loss_pattern(std::optional<std::uint64_t> end) const;
    /// The largest error of a delay, for any asymmetry of the path; empty if delays are relative or there are none.
    [[nodiscard]] std::optional<Nanos> delay_bound() const;

private:
    /// On a clock that keeps the offset at the start of the run: without skew and steps. `sent_at`: empty: unknown.
    [[nodiscard]] WallTime steady(WallTime received_at, std::optional<WallTime> sent_at) const;
    Taken add_steady(const ReceivedRecord& record);
    void add_steady(const ReceivedColumns& records);
    [[nodiscard]] bool selects(const ReceivedRecord& record);
    /// Of arrivals with the interface's clock, which nothing relates to the run's: the first comes when it leaves, or
    /// when the run begins.
    void begin_with(const ReceivedRecord& first);
    void add_totals(const FlowTotals& totals, ReceivedFigures& figures) const;
    void add_missing(const FlowTotals& totals, ReceivedFigures& figures) const;
    /// After totals: as the receiver counted where records are missing.
    void add_copies_and_order(ReceivedFigures& figures) const;
    /// None of them is late, the first of its kind, or of a selection.
    [[nodiscard]] PlainArrivals plain_at_front(const ReceivedColumns& records) const;
    void add_plain(const ReceivedColumns& records, const PlainArrivals& plain);
    void add_delays_of(const ReceivedColumns& records, const PlainArrivals& plain);
    void count_impossible(Nanos delay, WallTime sent_at);
    /// Changes the delays.
    void add_scheduled(std::uint64_t first, std::span<std::int64_t> delays);
    /// What delays are less: the clocks' offset, or the first delay.
    [[nodiscard]] Nanos shift() const;
    /// Less shift(); empty: too long to be known, as of clocks 73 years apart.
    [[nodiscard]] std::optional<Nanos> delay_of(WallTime received_at, WallTime sent_at);
    void take_delays(const ReceivedColumns& records, std::span<std::int64_t> delays) const;
    void add_arrival(const ReceivedRecord& record);
    void add_first_copy(const ReceivedRecord& record, bool late);
    void add_delay(const ReceivedRecord& record, WallTime sent_at, Nanos delay, bool late);
    void add_delays(ReceivedFigures& figures) const;

    ArrivalTimes times_;
    Vicinity near_;
    bool relative_;
    bool moves_;                                               ///< the receiver's clock, in relation to the sender's
    std::optional<Nanos> base_;                                ///< relative delays are collected around the first one
    std::optional<std::pair<WallTime, WallTime>> departures_;  ///< first and last of those with a delay
    TimeSeries& series_;
    BasicSequenceTracker<LossPattern> tracker_;
    SequenceTracker copies_;  ///< of further copies only: which packets had any
    ReorderingMeter reordering_;
    ReorderDensity density_;
    JitterMeter jitter_;
    IpdvMeter ipdv_;
    CentredHistogram delays_;
    CentredHistogram scheduled_delays_;
    BatchMeans delay_means_;
    MapdvMeter mapdv_;  ///< of voice only
    Arrivals arrivals_;
    std::uint64_t copied_bytes_ = 0;  ///< of further copies
    std::uint64_t records_ = 0;
    std::uint64_t unplaced_ = 0;
    std::uint64_t unnumbered_ = 0;
    std::uint64_t undated_ = 0;
    std::uint64_t impossible_ = 0;
};

}  // namespace groma
