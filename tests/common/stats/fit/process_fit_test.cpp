#include "common/stats/fit/process_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "common/model/distributions/quantile.hpp"
#include "common/model/distributions/sampler.hpp"

namespace groma {
namespace {

ProcessFit fit_of(const Distribution& distribution, ProcessKind kind, std::size_t count, std::size_t most = 65'536) {
    Sampler sampler(distribution, 5);
    ProcessMeter meter(most, 20);
    for (std::size_t i = 0; i < count; ++i) {
        meter.add(std::llround(std::max(sampler.draw(), 0.0)));
    }
    return meter.fit(kind, 0.01);
}

TEST(ProcessFit, QuantilesOfWhatWasSeenAndOfTheModelAgree) {
    const ProcessFit fit = fit_of(Exponential{1e6}, ProcessKind::gaps, 20'000);
    EXPECT_EQ(fit.quantiles.size(), 203U);  // 199, and 1 of 1000 and 1 of 10,000 at both ends
    for (const QuantilePoint& point : fit.quantiles) {
        const double error = std::sqrt(point.probability * (1 - point.probability) / 20'000);
        const double low = quantile(Exponential{1e6}, std::max(point.probability - 5 * error, 1e-7));
        const double high = quantile(Exponential{1e6}, std::min(point.probability + 5 * error, 1 - 1e-7));
        EXPECT_GE(point.observed, low) << point.probability;
        EXPECT_LE(point.observed, high) << point.probability;
        EXPECT_NEAR(point.model, quantile(Exponential{1e6}, point.probability), 0.05 * point.model);
    }
}

TEST(ProcessFit, DensitiesCountEveryValueOnce) {
    for (const auto& [distribution, kind] : {std::pair(Distribution(Exponential{1e6}), ProcessKind::gaps),
                                             std::pair(Distribution(Uniform{99.5, 319.5}), ProcessKind::sizes),
                                             std::pair(Distribution(Constant{512}), ProcessKind::sizes)}) {
        const ProcessFit fit = fit_of(distribution, kind, 10'000);
        std::uint64_t count = 0;
        double expected = 0;
        for (const DensityBin& bin : fit.densities) {
            EXPECT_LT(bin.low, bin.high);
            count += bin.count;
            expected += bin.expected;
        }
        EXPECT_EQ(count, 10'000U);
        EXPECT_NEAR(expected, 10'000, 100);
        EXPECT_LE(fit.densities.size(), 101U);
    }
}

TEST(ProcessFit, DensitiesOfValuesWhoseNeighboursNoDoubleTellsApartEnd) {
    for (const std::int64_t base : {std::int64_t{1} << 53, std::int64_t{1} << 54, std::int64_t{1} << 62}) {
        for (const std::int64_t step : {0, 1, 1000, 1 << 20}) {
            std::vector<std::int64_t> values;
            for (std::int64_t i = 0; i < 110; ++i) {
                values.push_back(base + i * step);
            }
            std::uint64_t count = 0;
            const auto bins = density_bins(make_sample(values), Constant{static_cast<double>(base)}, 100);
            for (const DensityBin& bin : bins) {
                EXPECT_LT(bin.low, bin.high);
                count += bin.count;
            }
            EXPECT_EQ(count, 110U) << base << ", " << step;
            EXPECT_LE(bins.size(), 101U);
        }
    }
}

TEST(ProcessFit, OfMoreValuesThanAreKeptTheMomentsAreOfAll) {
    const ProcessFit fit = fit_of(Normal{1000, 100}, ProcessKind::sizes, 50'000, 5000);
    EXPECT_EQ(fit.values, 50'000U);
    EXPECT_EQ(fit.sample.total, 5000U);
    EXPECT_NEAR(fit.mean, 1000, 4 * 100 / std::sqrt(50'000));
    EXPECT_NEAR(fit.deviation, 100, 4 * 100 / std::sqrt(100'000));
    EXPECT_EQ(fit.autocorrelation.size(), 20U);
}

TEST(ProcessFit, OfNothingIsNothing) {
    const ProcessFit fit = fit_of(Constant{1}, ProcessKind::gaps, 0);
    EXPECT_EQ(fit.values, 0U);
    EXPECT_TRUE(fit.families.empty());
}

}  // namespace
}  // namespace groma
