// Searches the highest rate that is kept: by bisection between a kept and a missed rate, and repeats at the end. Pure.
#pragma once

#include <optional>
#include <vector>

namespace groma {

struct RateBounds {
    double lowest = 0;  ///< rates that may be tried
    double highest = 0;
    double first = 0;  ///< the first one that is, where nothing is known
};

/// Life: construct, then measure next() and report with tried(), until next() is empty. A missed rate is tried a second
/// time, so that one disturbance does not decide.
class RateSearch {
public:
    /// `resolution`, above 1: the search ends when lowest missed rate / highest kept rate is at most this.
    /// `confirmations`: so many more trials must keep the rate that it finds; if one is missed, it goes on below.
    RateSearch(double resolution, RateBounds bounds, unsigned confirmations = 0);

    /// Adds a result from before the search. A kept rate overrides lower rates that were missed. Requires: rising
    /// rates.
    void know(double rate, bool kept);

    /// The next rate to try: between the highest kept and the lowest missed rate. Doubles while no rate was missed, and
    /// halves while none was kept. Then the highest kept rate, to confirm it.
    [[nodiscard]] std::optional<double> next() const;
    /// The attempt at next(): 1 or 2.
    [[nodiscard]] unsigned attempt() const { return failed_once_ ? 2 : 1; }
    /// Whether next() confirms the rate that was found.
    [[nodiscard]] bool confirms() const { return not open_rate() and next(); }

    /// Reports the result of next().
    void tried(bool kept);

    [[nodiscard]] std::optional<double> highest_kept() const {
        return kept_.empty() ? std::nullopt : std::optional(kept_.back());
    }
    /// Above highest_kept().
    [[nodiscard]] std::optional<double> lowest_not_kept() const { return not_kept_; }

private:
    [[nodiscard]] std::optional<double> open_rate() const;
    void confirm(bool kept);

    double resolution_;
    RateBounds bounds_;
    unsigned confirmations_;
    std::vector<double> kept_;  ///< rising
    std::optional<double> not_kept_;
    unsigned confirmed_ = 0;  ///< of the highest kept rate
    bool failed_once_ = false;
};

}  // namespace groma
