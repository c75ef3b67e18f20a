// What a receiver tells its sender of one-way delays. Pure.
#pragma once

#include <optional>

#include "common/control/messages.hpp"
#include "common/stats/histograms/centred_histogram.hpp"
#include "common/stats/histograms/jitter.hpp"
#include "common/stats/histograms/spread.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// Of one flow: delays of first copies, in order of arrival. About 1 KiB, with more values up to 30 KiB.
class DelayMeter {
public:
    /// Any two instants, on two clocks. Packet path (allocates now and then, as a LogHistogram does).
    void add(WallTime sent_at, WallTime received_at);

    [[nodiscard]] ArrivalDelays figures() const;
    [[nodiscard]] const CentredHistogram& delays() const { return delays_; }
    [[nodiscard]] const JitterMeter& jitter() const { return jitter_; }

private:
    CentredHistogram delays_;
    JitterMeter jitter_;
};

/// Of several flows together. The jitter is the mean of the flows', weighted by their numbers of packets: the order of
/// packets of different flows means nothing.
class DelaySum {
public:
    void add(const DelayMeter& flow);
    [[nodiscard]] ArrivalDelays figures() const;

private:
    CentredSum delays_;
    double jitter_ns_ = 0;
    double differences_ = 0;
};

}  // namespace groma
