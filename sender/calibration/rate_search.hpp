// The search for the highest rate that is kept: bisection between one that is and one that is not. Pure.
#pragma once

#include <optional>

namespace groma {

/// Life: construct, then measure next() and say how it went, until there is no next().
class RateSearch {
public:
    /// `resolution`: it ends when the lowest rate that is not kept is at most so many times the highest that is; above
    /// 1. `ceiling`: rates beyond are not tried; with `floor`, below, the bounds of what can be found.
    RateSearch(double resolution, double floor, double ceiling);

    /// What is known before the search. A rate that is kept outweighs lower ones that were not. Requires: rising rates.
    void know(double rate, bool kept);

    /// The rate to try: between the bounds, or twice the highest that is kept as long as none is known that is not, or
    /// half of the lowest while none is known that is. A rate that was not kept is tried a second time, so that one
    /// disturbance does not decide.
    [[nodiscard]] std::optional<double> next() const;
    /// Which time next() is tried: 1 or 2.
    [[nodiscard]] unsigned attempt() const { return failed_once_ ? 2 : 1; }

    /// How next() went.
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
