#include "common/model/distributions/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/model/distributions/reference.hpp"
#include "common/model/distributions/stream.hpp"
#include "tests/common/model/families.hpp"

namespace groma {
namespace {

constexpr std::size_t kDraws = 20'000;

std::vector<double> draws(const Distribution& distribution, std::uint64_t seed, std::size_t count = kDraws) {
    Sampler sampler(distribution, seed);
    std::vector<double> values(count);
    std::ranges::generate(values, [&] { return sampler.draw(); });
    return values;
}

/// The largest distance between the distribution of the draws and the one asked for.
double kolmogorov_smirnov(std::vector<double> values, const Distribution& distribution) {
    std::ranges::sort(values);
    const auto n = static_cast<double>(values.size());
    double distance = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = cdf(distribution, values[i]);
        const auto rank = static_cast<double>(i);
        distance = std::max({distance, expected - rank / n, (rank + 1) / n - expected});
    }
    return distance;
}

TEST(Sampler, DrawsFollowTheDistributionThatWasAskedFor) {
    // The asymptotic critical value for a false alarm in 10,000: sqrt(-ln(0.0001 / 2) / 2) / sqrt(n) (Smirnov 1948).
    const double critical = std::sqrt(-std::log(0.0001 / 2) / 2) / std::sqrt(static_cast<double>(kDraws));
    for (const auto& [text, distribution] : continuous_families()) {
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            EXPECT_LT(kolmogorov_smirnov(draws(distribution, seed), distribution), critical)
                << text << " seed " << seed;
        }
    }
}

TEST(Sampler, TheTestOfDrawsNoticesAScaleThatIsFivePercentOff) {
    const double critical = std::sqrt(-std::log(0.0001 / 2) / 2) / std::sqrt(static_cast<double>(kDraws));
    EXPECT_GT(kolmogorov_smirnov(draws(Exponential{1e6}, 1), Exponential{1.05e6}), critical);
    EXPECT_GT(kolmogorov_smirnov(draws(Gamma{2.5, 1e6}, 1), Gamma{2.5, 1.05e6}), critical);
}

/// Pearson's statistic over the distinct values, and its degrees of freedom. Values expected less than five times are
/// joined with their neighbours.
struct ChiSquare {
    double statistic = 0;
    unsigned degrees = 0;
};

ChiSquare chi_square(const std::vector<double>& values, const Distribution& distribution) {
    std::map<double, double> seen;
    for (const double value : values) {
        seen[value] += 1;
    }
    const auto n = static_cast<double>(values.size());
    ChiSquare result;
    double below = 0;
    double observed = 0;
    for (const auto& [value, count] : seen) {
        observed += count;
        const double up_to = cdf(distribution, value);
        const double expected = n * (up_to - below);
        const double left = n * (1 - up_to);
        if (expected < 5 or (left < 5 and value != seen.rbegin()->first)) {
            continue;
        }
        const double all = left < 5 ? expected + left : expected;
        result.statistic += (observed - all) * (observed - all) / all;
        ++result.degrees;
        below = up_to;
        observed = 0;
    }
    --result.degrees;
    return result;
}

TEST(Sampler, DiscreteDrawsComeAsOftenAsAskedFor) {
    for (const auto& [text, distribution] : discrete_families()) {
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            const ChiSquare result = chi_square(draws(distribution, seed), distribution);
            ASSERT_GE(result.degrees, 1U) << text;
            const double critical = boost::math::quantile(boost::math::chi_squared(result.degrees), 1 - 1e-4);
            EXPECT_LT(result.statistic, critical) << text << " seed " << seed << " degrees " << result.degrees;
        }
    }
}

TEST(Sampler, ValuesOfAFileComeInTheirOrderAndStartAgain) {
    const std::vector<double> values = draws(FromFile{"gaps.txt", {3, 1, 2}}, 1, 7);
    EXPECT_EQ(values, (std::vector<double>{3, 1, 2, 3, 1, 2, 3}));
}

TEST(Sampler, AConstantIsConstant) {
    EXPECT_EQ(draws(Constant{7}, 1, 3), (std::vector<double>{7, 7, 7}));
}

TEST(Sampler, TheSameSeedGivesTheSameDraws) {
    for (const auto& [text, distribution] : continuous_families()) {
        EXPECT_EQ(draws(distribution, 5, 100), draws(distribution, 5, 100)) << text;
        EXPECT_NE(draws(distribution, 5, 100), draws(distribution, 6, 100)) << text;
    }
}

/// The share of pairs of draws in which both lie above or both below the median, against one half.
double dependence(const std::vector<double>& a, const std::vector<double>& b, double median) {
    std::size_t same = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        same += (a[i] > median) == (b[i] > median) ? 1U : 0U;
    }
    return static_cast<double>(same) / static_cast<double>(a.size()) - 0.5;
}

TEST(Streams, OfNeighbouringFlowsProcessesAndSeedsAreIndependent) {
    // Five deviations of the share of heads in 20,000 tosses of a fair coin: 276 pairs raise a false alarm in 6,000
    // seeds.
    const double limit = 5 * 0.5 / std::sqrt(static_cast<double>(kDraws));
    std::vector<std::vector<double>> streams;
    for (const std::uint64_t run : {1U, 2U}) {
        for (const std::uint32_t flow : {1U, 2U, 3U}) {
            for (const Process process : {Process::gap, Process::size, Process::on, Process::off}) {
                streams.push_back(draws(Uniform{0, 1}, stream_seed(run, FlowId{flow}, process)));
            }
        }
    }
    for (std::size_t i = 0; i < streams.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_LT(std::abs(dependence(streams[i], streams[j], 0.5)), limit) << i << " and " << j;
        }
    }
}

TEST(Streams, SuccessiveDrawsAreIndependent) {
    std::vector<double> values = draws(Uniform{0, 1}, 1, kDraws + 1);
    const std::vector<double> shifted(values.begin() + 1, values.end());
    values.pop_back();
    EXPECT_LT(std::abs(dependence(values, shifted, 0.5)), 5 * 0.5 / std::sqrt(static_cast<double>(kDraws)));
}

TEST(Streams, TheFirstDrawsOfManyFlowsFollowTheDistribution) {
    const double critical = std::sqrt(-std::log(0.0001 / 2) / 2) / std::sqrt(static_cast<double>(kDraws));
    for (const std::size_t skipped : {0U, 1U, 2U}) {
        std::vector<double> values;
        for (std::uint32_t flow = 1; flow <= kDraws; ++flow) {
            Sampler sampler(Exponential{1e6}, stream_seed(1, FlowId{flow}, Process::gap));
            for (std::size_t i = 0; i < skipped; ++i) {
                static_cast<void>(sampler.draw());
            }
            values.push_back(sampler.draw());
        }
        EXPECT_LT(kolmogorov_smirnov(values, Exponential{1e6}), critical) << "draw " << skipped;
    }
}

TEST(Sampler, UniformDrawsHave53BitsOr32ByTheOlderGenerator) {
    Sampler fine(Uniform{0, 1}, 5);
    Sampler coarse(Uniform{0, 1}, 5, Generator::unit_32);
    int finer = 0;
    for (int i = 0; i < 1000; ++i) {
        const double draw = fine.draw();
        EXPECT_GE(draw, 0);
        EXPECT_LT(draw, 1);
        EXPECT_EQ(std::ldexp(draw, 53), std::floor(std::ldexp(draw, 53)));
        finer += std::ldexp(draw, 32) != std::floor(std::ldexp(draw, 32)) ? 1 : 0;
        const double whole = std::ldexp(coarse.draw(), 32);
        EXPECT_EQ(whole, std::floor(whole));
    }
    EXPECT_EQ(finer, 1000);
}

TEST(Streams, AHundredThousandFlowsHaveSeedsOfTheirOwn) {
    std::set<std::uint64_t> seeds;
    for (std::uint32_t flow = 1; flow <= 100'000; ++flow) {
        for (const Process process : {Process::gap, Process::size, Process::on, Process::off}) {
            seeds.insert(stream_seed(1, FlowId{flow}, process));
        }
    }
    EXPECT_EQ(seeds.size(), 400'000U);
}

TEST(Streams, AreThoseOfEveryReleaseBefore) {
    EXPECT_EQ(stream_seed(1, FlowId{1}, Process::gap), 0x7095beebd76575e4ULL);
    Engine engine = make_engine(1);
    EXPECT_EQ(engine(), 0x9a18162U);
    EXPECT_EQ(engine(), 0x589b26aU);
}

}  // namespace
}  // namespace groma
