// A distribution in figures, as the reports print it: of one histogram, or of several.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/stats/histograms/centred_histogram.hpp"
#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/histograms/spread_figures.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// `count` 0, or not `known`: the rest has no meaning.
struct Spread {
    std::uint64_t count = 0;
    std::int64_t min = 0;
    double mean = 0;
    double deviation = 0;
    std::int64_t p50 = 0;
    std::int64_t p90 = 0;
    std::int64_t p99 = 0;
    std::int64_t p999 = 0;
    std::int64_t max = 0;
    std::shared_ptr<const LogHistogram> values{};  ///< shifted by `shift`, the measured values; null: no bins
    std::int64_t shift = 0;
    bool known = true;  ///< false: even the count is unknown

    /// Non-empty bins in rising order, as LogHistogram::bins().
    [[nodiscard]] std::vector<LogHistogram::Bin> bins() const;
};

[[nodiscard]] inline Spread unknown_spread() {
    Spread spread;
    spread.known = false;
    return spread;
}

/// All values of these; unknown if one is. Requires: none is shifted.
[[nodiscard]] Spread spread_together(std::span<const Spread* const> parts);

/// Without values, only their count is known; of one value, no deviation.
[[nodiscard]] FigureValue spread_figure(const Spread& spread, SpreadFigure figure);

/// All values of `histogram` less `shift`. Percentiles have the histogram's precision before the shift.
[[nodiscard]] Spread spread_of(const LogHistogram& histogram, Nanos shift = Nanos{0});

/// The distribution of the values of several histograms, each moved by some amount: delays of flows that were collected
/// around bases of their own. Count, minimum, maximum, mean and deviation are those of all values (the pairwise update
/// of Chan, Golub and LeVeque 1979). Of a single histogram percentiles are its own; else their error is at most 1/128
/// of the value as the first one's is moved, plus that of its own histogram.
class SpreadSum {
public:
    void add(const LogHistogram& values, std::int64_t moved_by);
    /// Less `shift`.
    [[nodiscard]] Spread result(Nanos shift = Nanos{0}) const;

private:
    LogHistogram bins_;        ///< of the values less `origin_`
    std::int64_t origin_ = 0;  ///< by which the first histogram is moved
    std::int64_t min_ = 0;
    std::int64_t max_ = 0;
    double mean_ = 0;
    double squares_ = 0;
};

/// The same of values that were each collected around a base of their own.
class CentredSum {
public:
    void add(const CentredHistogram& values);
    [[nodiscard]] Spread result() const { return sum_.result(Nanos{-base()}); }
    /// The values less base(): a mean is as exact as they are small.
    [[nodiscard]] Spread around_base() const { return sum_.result(); }
    [[nodiscard]] std::int64_t base() const { return base_.value_or(0); }

private:
    std::optional<std::int64_t> base_;  ///< the first one's
    SpreadSum sum_;
};

}  // namespace groma
