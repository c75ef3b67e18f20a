// The arrivals of a flow, whichever packets they are of: how many, how large, how far apart, how fast.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/stats/fidelity/gap_scales.hpp"
#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/histograms/stretches.hpp"
#include "common/time/difference.hpp"
#include "common/wire/column_view.hpp"
#include "common/wire/records.hpp"
#include "decoder/results/results.hpp"

namespace groma {

class Arrivals {
public:
    static constexpr std::size_t kMostTogether = 512;

    /// Scales of gaps, too. Before all of them.
    void be_thorough() { thorough_ = true; }

    /// In order of arrival.
    void add(const ReceivedRecord& record) {
        if (packets_ == 0) {
            first_ = last_ = record.received_at;
        } else {
            gaps_.add(difference(record.received_at, before_).count());
            first_ = std::min(first_, record.received_at);
            last_ = std::max(last_, record.received_at);
        }
        if (thorough_) {
            scales_.add(ns_since_epoch(record.received_at), 0);
        }
        before_ = record.received_at;
        ++packets_;
        bytes_ += record.size;
        sizes_.add(record.size);
    }
    /// The same for each of them. `received`: the extent of their times. Requires: there was an arrival before; no more
    /// than kMostTogether of them, all in one Vicinity.
    void add(const ReceivedColumns& records, const Extent& received);

    [[nodiscard]] std::uint64_t packets() const { return packets_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] const LogHistogram& gaps() const { return gaps_; }
    [[nodiscard]] const GapScales& scales() const { return scales_; }

    /// Fills in what they are but for the gaps. `start`: of the run.
    void tell(WallTime start, ReceivedFigures& figures) const;

private:
    LogHistogram gaps_;
    bool thorough_ = false;
    GapScales scales_;
    LogHistogram sizes_;
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    WallTime first_{};
    WallTime last_{};
    WallTime before_{};
};

}  // namespace groma
