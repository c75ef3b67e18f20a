// Searches the highest rate that is kept: by bisection between a kept and a missed rate, and for a calibration, which
// begins with what was measured. Pure.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sender/calibration/calibration_plan.hpp"
#include "sender/calibration/point_result.hpp"
#include "sender/calibration/store.hpp"

namespace groma {

/// Life: construct, then measure next() and report with tried(), until next() is empty.
class RateSearch {
public:
    /// `resolution`, above 1: the search ends when lowest missed rate / highest kept rate is at most this. `floor` and
    /// `ceiling` bound the rates tried.
    RateSearch(double resolution, double floor, double ceiling);

    /// Adds a result from before the search. A kept rate overrides lower rates that were missed. Requires: rising
    /// rates.
    void know(double rate, bool kept);

    /// The next rate to try: between the highest kept and the lowest missed rate. Doubles while no rate was missed, and
    /// halves while none was kept. A missed rate is tried a second time, so that one disturbance does not decide.
    [[nodiscard]] std::optional<double> next() const;
    /// The attempt at next(): 1 or 2.
    [[nodiscard]] unsigned attempt() const { return failed_once_ ? 2 : 1; }

    /// Reports the result of next().
    void tried(bool kept);

    [[nodiscard]] std::optional<double> highest_kept() const { return kept_; }
    /// Above highest_kept().
    [[nodiscard]] std::optional<double> lowest_not_kept() const { return not_kept_; }

private:
    double resolution_;
    double floor_;
    double ceiling_;
    std::optional<double> kept_;
    std::optional<double> not_kept_;
    bool failed_once_ = false;
};

/// The figures of a point, measured now or before; nothing: the calibration is to stop.
using Measure = std::function<std::optional<PointFigures>(const Point&)>;

/// Searches between what `sweep` has kept and has not kept, asking `measure` for more, within the rates of the sweep. A
/// rate of the sweep counts as kept when the median of its rate errors is within the tolerance and no repetition was
/// cut short. Returns: nothing when `measure` returns nothing.
[[nodiscard]] std::optional<Limit> search_limit(const CalibrationSettings& settings, const Search& search,
                                                const std::vector<PointResult>& sweep, const Measure& measure);

}  // namespace groma
