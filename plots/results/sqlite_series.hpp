// The series of a run in the decoder's SQLite file.
#pragma once

#include <filesystem>
#include <utility>

#include "plots/results/series_source.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

/// Opens the file anew for each slice: when very many files are compared, at most one is open at a time.
class SqliteSeries : public SeriesSource {
public:
    /// For the flows that are in `run` now. Throws: RunError when rows cannot be found by flow and time.
    SqliteSeries(std::filesystem::path file, const RunResults& run);

    [[nodiscard]] std::optional<SeriesExtent> intervals() const override { return intervals_; }
    [[nodiscard]] std::optional<SeriesExtent> samples() const override { return samples_; }
    [[nodiscard]] std::optional<IntervalRows> intervals_within(const TimeSlice& slice) const override;
    [[nodiscard]] std::optional<SampleRows> samples_within(const TimeSlice& slice) const override;

private:
    [[nodiscard]] std::optional<SeriesExtent> extent_by(const char* query) const;
    template <typename Point, typename Read>
    [[nodiscard]] std::optional<std::vector<std::vector<Point>>> rows_by(const char* query, const TimeSlice& slice,
                                                                         const Read& read) const;

    std::filesystem::path file_;
    std::int64_t run_;
    std::vector<std::pair<std::int64_t, std::int64_t>> flows_;  ///< with the receiver's number
    std::optional<SeriesExtent> intervals_;
    double least_covered_s_ = 0;  ///< of an interval, for its rates to be drawn
    std::optional<SeriesExtent> samples_;
};

}  // namespace groma
