#include <gtest/gtest.h>

#include "decoder/results/results.hpp"

namespace groma {
namespace {

Spread of_moments(std::uint64_t count, double mean, double deviation) {
    Spread spread;
    spread.count = count;
    spread.mean = mean;
    spread.deviation = deviation;
    return spread;
}

ReceivedFigures correlated_by(std::uint64_t delays, std::uint64_t pairs, double deviation_of_pairs) {
    ReceivedFigures figures;
    figures.delay_ns = of_moments(delays, 1000, 100);
    figures.ipdv_ns = of_moments(pairs, 0, deviation_of_pairs);
    return figures;
}

TEST(DelayAutocorrelation, IsThatOfTheMeanSquareDifference) {
    EXPECT_NEAR(*correlated_by(10'001, 10'000, 100).delay_autocorrelation(), 0.5, 1e-4);
    EXPECT_NEAR(*correlated_by(10'001, 10'000, 141.42135623731).delay_autocorrelation(), 0, 1e-3);
}

TEST(DelayAutocorrelation, IsUnknownOfFewNeighbours) {
    EXPECT_FALSE(correlated_by(1001, 2, 7'000).delay_autocorrelation());
    EXPECT_FALSE(correlated_by(1001, 500, 100).delay_autocorrelation());
    EXPECT_TRUE(correlated_by(1001, 501, 100).delay_autocorrelation());
    EXPECT_FALSE(correlated_by(64, 63, 100).delay_autocorrelation());
    EXPECT_TRUE(correlated_by(65, 64, 100).delay_autocorrelation());
}

TEST(DelayAutocorrelation, IsNotBelowMinusOne) {
    EXPECT_EQ(correlated_by(1001, 600, 250).delay_autocorrelation(), -1.0);
}

}  // namespace
}  // namespace groma
