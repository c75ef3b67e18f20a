#include "common/stats/histograms/mapdv.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace groma {
namespace {

std::optional<double> mapdv2_of(const std::vector<std::int64_t>& delays) {
    MapdvMeter meter;
    meter.add(delays);
    return meter.mapdv2_ns();
}

TEST(Mapdv2, IsTheSumOfTheMeanDistancesAboveAndBelowTheRunningMean) {
    // Distances of 0, 160, -170, 0.625 from running means of 1000, 1000, 1010, 999.375.
    EXPECT_DOUBLE_EQ(mapdv2_of({1000, 1160, 840, 1000}).value(), (160 + 0.625) / 2 + 170);
}

TEST(Mapdv2, IsZeroForConstantDelaysAndUnknownOfOne) {
    EXPECT_EQ(mapdv2_of({}), std::nullopt);
    EXPECT_EQ(mapdv2_of({5}), std::nullopt);
    EXPECT_EQ(mapdv2_of({-7, -7, -7}), 0);
}

TEST(Mapdv2, DoesNotDependOnTheOffsetOfTheClocksNorOnHowDelaysAreAdded) {
    constexpr std::int64_t kYears = 1'000'000'000'000'000'000;
    const std::vector<std::int64_t> delays{10, 50, 20, 20, 90, 10};
    MapdvMeter meter;
    for (const std::int64_t delay : delays) {
        const std::int64_t far = delay - kYears;
        meter.add(std::span(&far, 1));
    }
    EXPECT_EQ(meter.mapdv2_ns(), mapdv2_of(delays));
}

}  // namespace
}  // namespace groma
