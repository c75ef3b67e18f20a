// Searches the highest rate that is kept, by bisection between a kept and a missed rate. Pure.
#pragma once

#include <optional>

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

}  // namespace groma
