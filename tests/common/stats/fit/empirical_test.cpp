#include "common/stats/fit/empirical.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/model/distributions/distribution_check.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/distributions/sampler.hpp"

namespace groma {
namespace {

Sample drawn(const Distribution& distribution, std::size_t count, std::uint64_t seed) {
    Sampler sampler(distribution, seed);
    std::vector<std::int64_t> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(std::llround(std::max(sampler.draw(), 0.0)));
    }
    return make_sample(std::move(values));
}

double distance(const Sample& sample, const Distribution& distribution) {
    double most = 0;
    double so_far = 0;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        const double just_below = cdf(distribution, sample.values[i] - 0.25);
        const double u = cdf(distribution, sample.values[i]);
        most = std::max(most, std::abs(so_far / static_cast<double>(sample.total) - just_below));
        so_far += static_cast<double>(sample.counts[i]);
        most = std::max(most, std::abs(so_far / static_cast<double>(sample.total) - u));
    }
    return most;
}

TEST(Empirical, KeepsFewValuesAsTheyAre) {
    const Distribution found = empirical_distribution(make_sample({60, 1500, 60, 60}));
    EXPECT_EQ(found, Distribution(Discrete{{60, 1500}, {3, 1}}));
}

TEST(Empirical, IsNearTheSampleWithTheSameMeanAndCanBeWritten) {
    for (const Distribution& sent :
         {Distribution(Exponential{1e6}), Distribution(Pareto{1.3, 4e5}), Distribution(Normal{1e7, 1e6}),
          Distribution(Mixture{{0.5, 0.5}, {Uniform{1e5, 2e5}, Uniform{9e6, 1e7}}}),
          Distribution(Mixture{{0.5, 0.5}, {Constant{1e6}, Exponential{3e6}}})}) {
        const Sample sample = drawn(sent, 20'000, 3);
        const Distribution found = empirical_distribution(sample);
        ASSERT_EQ(parameter_error(found), "");
        EXPECT_LE(distance(sample, found), 0.026) << idt_to_string(sent);
        EXPECT_NEAR(*mean(found), sample.mean(), 1e-6 * sample.mean()) << idt_to_string(sent);
        EXPECT_EQ(parse_idt(idt_to_string(found)), found);
    }
}

TEST(Empirical, HasTheMeanOfMoreValuesThanTheSampleByItsUpperEnd) {
    for (const Sample& sample : {drawn(Pareto{1.3, 4e5}, 20'000, 3), drawn(Exponential{1e6}, 1500, 3)}) {
        for (const double factor : {0.8, 0.99, 1.01, 1.25}) {
            const Distribution found = empirical_distribution(sample, factor * sample.mean());
            ASSERT_EQ(parameter_error(found), "");
            EXPECT_NEAR(*mean(found), factor * sample.mean(), 1e-9 * sample.mean()) << factor;
            EXPECT_NEAR(cdf(found, sample.quantile(0.25)), 0.25, 0.03) << factor;
        }
    }
    const Sample few = make_sample({60, 60, 60, 100});
    EXPECT_EQ(empirical_distribution(few, 72.5), Distribution(Discrete{{60, 110}, {3, 1}}));
    EXPECT_EQ(empirical_distribution(few, 140), Distribution(Discrete{{120, 200}, {3, 1}})) << "beyond its upper end";
}

TEST(Empirical, WhatIsDrawnFromItHasTheQuantilesOfTheSample) {
    const Sample sample = drawn(LogNormal{1e6, 1.5}, 30'000, 4);
    const Sample again = drawn(empirical_distribution(sample), 30'000, 5);
    for (const double p : {0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999}) {
        const double error = 4 * std::sqrt(2 * p * (1 - p) / 30'000);
        EXPECT_GE(again.quantile(p), sample.quantile(std::max(p - error, 1e-5)) * 0.95) << p;
        EXPECT_LE(again.quantile(p), sample.quantile(std::min(p + error, 1.0)) * 1.05) << p;
    }
}

}  // namespace
}  // namespace groma
