// One figure of a run over time, from slices of rows to lines.
#pragma once

#include <map>
#include <vector>

#include "plots/results/over_time.hpp"
#include "plots/results/series_measures.hpp"

namespace groma {

class FigureThinner {
public:
    struct Options {
        std::size_t flows = 0;
        bool with_total = false;  ///< of many flows
        double interval_s = 1;
        AxisRange range;  ///< of time
    };

    /// `measure` outlives it.
    FigureThinner(const SeriesMeasure& measure, const Options& options);

    /// The rows of each flow in one slice of time, which begins where the one before ended, on the edge of an interval.
    void add(const IntervalRows& slice);
    void add(const SampleRows& slice);
    [[nodiscard]] FigureLines finish() &&;

private:
    /// One value.
    struct Sample {
        double at_s = 0;
        std::optional<double> value;
    };
    struct FlowLine {
        ThinLine line;
        double last_s = 0;
        bool connected = false;
    };

    [[nodiscard]] Sample sample_of(const SeriesPoint& point) const;
    [[nodiscard]] Sample sample_of(const ConnectionPoint& point) const;
    void widen_time(double at_s);
    void add_to(FlowLine& flow, const Sample& sample);
    template <typename Row>
    void add_rows(const std::vector<std::vector<Row>>& slice);
    void add_span(const SeriesPoint& point);
    void add_spread(std::map<std::int64_t, std::vector<double>>& intervals);

    const SeriesMeasure& measure_;
    Options options_;
    std::vector<FlowLine> flows_;
    ThinLine low_;
    ThinLine high_;
    double last_span_s_;
    AxisRange time_;
    std::vector<bool> known_;  ///< flows with a value
    bool gaps_ = false;
    std::vector<ThinLine> spread_;  ///< in the order of SpreadLines
    ThinLine mean_;                 ///< with it
    std::int64_t last_interval_ = 0;
};

}  // namespace groma
