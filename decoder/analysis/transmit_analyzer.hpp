// What the sender's transmit stamps say: how long packets were in the sender's stack, and how long they took from there
// to the receiver. Memory: 32 bytes a packet of a flow that has such stamps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/stats/histograms/log_histogram.hpp"
#include "common/wire/records.hpp"
#include "decoder/analysis/sent_times.hpp"
#include "decoder/results/clock_state.hpp"
#include "decoder/results/measured.hpp"

namespace groma {

class TransmitAnalyzer {
public:
    /// `stamps`: who made them.
    explicit TransmitAnalyzer(StampSource stamps) : source_(stamps) {}

    /// `sent`: a packet as the sender's record has it, in order of departure.
    void add_sent(const SentRecord& sent) { sent_.add(sent.seq, sent.sent_at); }
    /// In any order.
    void add(const TransmitRecord& record);
    /// Packets were selected: stamps of others are left out.
    void only_of_sent() { only_of_sent_ = true; }

    /// Once, after the sender's log and before arrivals.
    void finish();
    /// The first copy of a packet arrived; `clock` is how the receiver's is related to the sender's.
    void add_arrival(const ReceivedRecord& record, const ClockState& clock);

    /// Stamps of hardware have neither host's clock: their times in the stack and delays are unknown; so are delays
    /// where `arrivals_related` is false: no times of arrival are known by the sender's clock.
    [[nodiscard]] TransmitFigures figures(bool arrivals_related) const;

private:
    StampSource source_;
    std::vector<TransmitRecord> stamps_;  ///< in order of seq once finished
    SentTimes sent_;
    LogHistogram stack_;
    LogHistogram delay_;
    bool only_of_sent_ = false;
    std::uint64_t packets_ = 0;
    std::uint64_t unmatched_ = 0;
};

}  // namespace groma
