#include "common/stats/fidelity/gap_batches.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace groma {
namespace {

/// Half of the gaps in each of the first two bins.
constexpr std::array<double, kLambda2Bins> kHalves{0.5, 0.5};

std::uint64_t all_of(const GapBatches& batches) {
    std::uint64_t sum = 0;
    for (const GapBatches::Counts& batch : batches.batches()) {
        sum = std::accumulate(batch.begin(), batch.end(), sum);
    }
    return sum;
}

TEST(GapBatches, AreOfOneLengthAndOfAllGaps) {
    GapBatches batches;
    EXPECT_TRUE(batches.batches().empty());
    for (std::uint64_t n = 1; n <= 1000; ++n) {
        batches.add(n % kLambda2Bins);
        ASSERT_EQ(all_of(batches), n);
        ASSERT_LE(batches.batches().size(), GapBatches::kMost);
        ASSERT_EQ(batches.batches().size(), (n + batches.length() - 1) / batches.length());
    }
    EXPECT_EQ(batches.length(), 16U);
}

TEST(GapBatches, GapsThatAlternateVaryLessThanIndependentOnesAndThoseInRunsMore) {
    constexpr std::uint64_t kGaps = 1 << 16;
    const auto variance_of = [](std::uint64_t run) {
        GapBatches batches;
        for (std::uint64_t i = 0; i < kGaps; ++i) {
            batches.add(i / run % 2);
        }
        CountCovariance covariance;
        batches.add_covariance(covariance, kGaps, kHalves);
        EXPECT_NEAR(covariance.at(0, 0), -covariance.at(0, 1), 1e-6);
        EXPECT_EQ(covariance.at(2, 2), 0);
        EXPECT_NEAR(covariance.inverse_freedom(), 1.0 / 63, 1e-12);
        return covariance.at(0, 0);
    };
    EXPECT_EQ(variance_of(1), 0);
    // 64 batches, each of one bin only: the variance of a batch is (1024 / 2)^2 64 / 63.
    EXPECT_NEAR(variance_of(1024), 64 * 512.0 * 512 * 64 / 63, 1);
}

TEST(GapBatches, FewAreTakenAsIndependent) {
    GapBatches batches;
    for (std::size_t i = 0; i < GapBatches::kFewestBatches - 1; ++i) {
        batches.add(0);
    }
    CountCovariance covariance;
    batches.add_covariance(covariance, 19, kHalves);
    EXPECT_DOUBLE_EQ(covariance.at(0, 0), 19 * 0.25);
    EXPECT_DOUBLE_EQ(covariance.at(0, 1), -19 * 0.25);
    EXPECT_EQ(covariance.inverse_freedom(), 0);
}

TEST(CountCovariance, OfSeveralFlowsHasTheFreedomOfTheirSum) {
    const std::array<CountCovariance::Row, kLambda2Bins> one{{{1.0}}};
    CountCovariance sum;
    sum.add(one, 100, 20);
    sum.add(one, 100, 20);
    EXPECT_EQ(sum.at(0, 0), 2);
    EXPECT_DOUBLE_EQ(sum.inverse_freedom(), 1.0 / 40);
    sum.add(one, 1'000'000, 40);
    EXPECT_NEAR(sum.inverse_freedom(), 1.0 / 40, 1e-4) << "the largest one alone";
}

}  // namespace
}  // namespace groma
