// The series of compared runs: the total of each run's flows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plots/results/comparison.hpp"
#include "plots/results/series_source.hpp"

namespace groma {

/// All flows of a run as one, rows of the same interval together: counts and rates are added up (unknown unless known
/// of all flows that have the interval), sent packets once for any number of receivers; mean delay, jitter and
/// round-trip time are weighted by the packets received. `receivers`: for each of `flows`, the receiver's number.
[[nodiscard]] std::vector<SeriesPoint> total_series(const IntervalRows& flows,
                                                    const std::vector<std::int64_t>& receivers, double interval_s);

class ComparedSeries : public SeriesSource {
public:
    /// Of the flows that are in the files' runs now. Throws: RunError.
    explicit ComparedSeries(const std::vector<ResultsFile>& files);

    [[nodiscard]] std::optional<SeriesExtent> intervals() const override { return intervals_; }
    /// Connections of several flows have no total.
    [[nodiscard]] std::optional<SeriesExtent> samples() const override { return std::nullopt; }
    [[nodiscard]] std::optional<IntervalRows> intervals_within(const TimeSlice& slice) const override;
    [[nodiscard]] std::optional<SampleRows> samples_within(const TimeSlice&) const override { return SampleRows(); }

private:
    struct Run {
        std::unique_ptr<SeriesSource> source;
        std::vector<std::int64_t> receivers;
        double interval_s = 1;
    };

    std::vector<Run> runs_;
    std::optional<SeriesExtent> intervals_;
};

}  // namespace groma
