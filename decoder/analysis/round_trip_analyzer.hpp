// What the sender's records of packets that came back say: round-trip times, with and without the receiver's share, the
// two ways apart, and which packets were lost on which way.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/sequence/sequence_tracker.hpp"
#include "common/wire/records.hpp"
#include "decoder/analysis/departure_lateness.hpp"
#include "decoder/analysis/sent_times.hpp"
#include "decoder/analysis/sequence_set.hpp"
#include "decoder/results/clock_state.hpp"
#include "decoder/results/measured.hpp"
#include "decoder/results/selection.hpp"
#include "decoder/results/time_series.hpp"

namespace groma {

/// What round trips are seen against.
struct ReturnTimes {
    WallTime start{};                             ///< of the run, on the sender's clock
    ClockState clock{};                           ///< not absolute: one-way delays are relative
    const SentTimes* sent_times = nullptr;        ///< of packets that do not say when they left; outlives the analyzer
    const DepartureLateness* lateness = nullptr;  ///< outlives the analyzer
    std::optional<Selection> selection{};         ///< only these packets
};

class RoundTripAnalyzer {
public:
    /// The series outlives the analyzer.
    RoundTripAnalyzer(const ReturnTimes& times, TimeSeries& series);

    /// In the order in which they came.
    void add(const RoundTripRecord& record);
    /// Of the receiver's log: a packet that reached it, any copy.
    void add_reached(const ReceivedRecord& record);

    /// Once, after all records: what it needs of the sender's log is complete. `reached_is_whole`: every packet that
    /// reached the receiver was told.
    void finish();
    [[nodiscard]] RoundTripFigures figures(bool reached_is_whole) const;

    [[nodiscard]] const LogHistogram& rtts() const { return rtt_; }

private:
    /// One-way delays, absolute or around the first one.
    struct OneWay {
        std::optional<Nanos> base;  ///< of relative delays
        LogHistogram delays;
        void add(WallTime later, WallTime earlier, std::optional<Nanos> offset);
        [[nodiscard]] Spread spread(bool relative) const;
    };

    [[nodiscard]] std::optional<WallTime> departure(const RoundTripRecord& record) const;
    /// Whether it is known how long the receiver held the packet.
    [[nodiscard]] bool has_residence(const RoundTripRecord& record) const;
    /// As of RoundTripFigures.
    [[nodiscard]] bool is_impossible(const RoundTripRecord& record, WallTime sent_at) const;
    [[nodiscard]] bool selects(const RoundTripRecord& record) const;
    void add_selected(const RoundTripRecord& record);
    void add_scheduled(std::uint64_t seq, Nanos rtt);
    void add_dated(const RoundTripRecord& record, WallTime sent_at);

    ReturnTimes times_;
    TimeSeries& series_;
    SequenceTracker tracker_;
    SequenceSet returned_;
    SequenceSet reached_;
    std::vector<RoundTripRecord> unplaced_;               ///< of which it is not known yet whether they are selected
    std::vector<RoundTripRecord> undated_;                ///< whose departure was not in the log yet
    std::vector<std::pair<std::uint64_t, Nanos>> early_;  ///< numbers and times of replies before the sender's record
    LogHistogram rtt_;
    LogHistogram scheduled_rtt_;
    LogHistogram network_;
    LogHistogram residence_;
    OneWay forward_;
    OneWay backward_;
    std::uint64_t replies_ = 0;
    std::uint64_t unnumbered_ = 0;
    std::uint64_t never_dated_ = 0;
    std::uint64_t impossible_ = 0;
    std::uint64_t reached_unnumbered_ = 0;
};

}  // namespace groma
