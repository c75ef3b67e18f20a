// Figures from the sender's records of one flow: the instrument's fidelity, gaps, sizes, departures per interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "common/log/run_metadata.hpp"
#include "common/stats/fidelity/fidelity.hpp"
#include "common/stats/fidelity/gap_scales.hpp"
#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/histograms/stretches.hpp"
#include "common/stats/sequence/sequence_holes.hpp"
#include "common/time/vicinity.hpp"
#include "common/wire/column_view.hpp"
#include "common/wire/records.hpp"
#include "decoder/analysis/departure_lateness.hpp"
#include "decoder/analysis/sent_times.hpp"
#include "decoder/results/results.hpp"
#include "decoder/results/selection.hpp"
#include "decoder/results/time_series.hpp"

namespace groma {

class SentAnalyzer {
public:
    /// `start` of the run on the sender's clock. `keep_times`: keep the departures of packets that cannot carry them,
    /// for the receiver's side. The series outlives the analyzer. `asked`: what the flow's gaps are compared with.
    SentAnalyzer(const FlowSpec& spec, WallTime start, bool keep_times, TimeSeries& series, AskedGaps asked = {});

    /// Figures of these packets only. Before all records.
    void only(const Selection& selection) { selection_ = selection; }
    /// Scales of gaps, too; and keep how late these packets left, as far as there is room (null: not). Before all
    /// records.
    void be_thorough(std::shared_ptr<DepartureLateness::Room> room) {
        thorough_ = true;
        lateness_ = DepartureLateness(std::move(room));
    }

    /// In order of departure. Returns: whether the packet is selected.
    bool add(const SentRecord& record);
    /// The same for each record; faster for many.
    void add(const SentColumns& records);

    [[nodiscard]] const SentTimes& times() const { return times_; }
    [[nodiscard]] const DepartureLateness& lateness() const { return lateness_; }
    /// Numbers between those of the records.
    [[nodiscard]] const SequenceHoles& holes() const { return holes_; }
    [[nodiscard]] std::uint64_t records() const { return records_; }      ///< selected or not
    [[nodiscard]] std::uint64_t first_seq() const { return first_seq_; }  ///< of the selected ones

    /// `totals`: of this flow, from the end of the log; null if the log was cut short. `clock_set`: while it was
    /// written.
    [[nodiscard]] SentFigures figures(const FlowTotals* totals, bool clock_set = false) const;

private:
    [[nodiscard]] bool carries_time(std::uint32_t size) const;
    void keep_time(const SentRecord& record);
    void note_hole(const SentRecord& before, const SentRecord& after);
    [[nodiscard]] bool selects(const SentRecord& record) const;
    /// A number of packets with consecutive numbers, all near the start of the run; and the extent of their times.
    struct Plain {
        std::size_t count = 0;
        Extent sent{};
    };
    /// The run of such packets at the beginning of `records`.
    [[nodiscard]] Plain plain_among(const SentColumns& records) const;
    /// Packets near the start of the run, some of which left before the flow began.
    [[nodiscard]] bool is_early(const Extent& sent) const;
    /// Adds such packets, at most kStretch.
    void add_plain(const SentColumns& records, const Plain& plain);
    void keep_times_of(const SentColumns& records);

    static constexpr std::size_t kStretch = 512;
    void add_totals(const FlowTotals& totals, SentFigures& figures) const;
    /// How far the span of the records that are kept can be trusted.
    enum class Kept { all, in_part, by_a_clock_that_was_set };
    /// From the first packet to the last by totals, which have them by the monotonic clock; else `kept`. Empty:
    /// unknown, or totals and records contradict each other.
    [[nodiscard]] TimeSpan span_of(WallTime first, WallTime last, const TimeSpan& kept, Kept trust) const;
    void add_spans(const FlowTotals* totals, bool clock_set, SentFigures& figures) const;
    void add_fidelity(const FlowTotals* totals, bool clock_set, SentFigures& figures) const;
    /// As SentFigures: by the sender's counts, or where numbers have no holes. Departures that are skipped have none.
    [[nodiscard]] bool all_due_left(const FlowTotals* totals) const;

    Transport transport_;
    HeaderLevel header_;
    bool skips_;  ///< departures whose slot is over
    WallTime start_;
    Vicinity near_;
    bool keep_times_;
    TimeSeries& series_;
    SentTimes times_;
    DepartureLateness lateness_;
    SequenceHoles holes_;
    FidelityMeter fidelity_;
    bool constant_rate_;
    bool thorough_ = false;
    GapScales scales_;
    LogHistogram gaps_;
    LogHistogram sizes_;
    std::optional<Selection> selection_;
    std::uint64_t records_ = 0;
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    std::optional<SentRecord> before_;
    std::uint64_t first_seq_ = 0;
};

}  // namespace groma
