#include "common/stats/fit/family_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/model/distributions/distribution_check.hpp"
#include "common/model/distributions/sampler.hpp"

namespace groma {
namespace {

constexpr double kMillisecond = 1e6;
constexpr FitRules kGaps{.rounding = Rounding::twice, .constant_within = 0.01};
constexpr FitRules kSizes{.rounding = Rounding::once, .constant_within = 0.01, .counts = true};

std::vector<std::int64_t> drawn(const Distribution& distribution, std::size_t count, std::uint64_t seed) {
    Sampler sampler(distribution, seed);
    std::vector<std::int64_t> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(std::llround(std::clamp(sampler.draw(), 0.0, 4e18)));
    }
    return values;
}

std::string best(const Distribution& sent, const FitRules& rules, std::uint64_t seed, std::size_t count = 10'000) {
    return family_name(fit_families(make_sample(drawn(sent, count, seed)), rules).front().distribution);
}

TEST(FamilyFit, FindsTheFamilyThatGapsWereDrawnFrom) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        EXPECT_EQ(best(Exponential{kMillisecond}, kGaps, seed), "exp");
        EXPECT_EQ(best(Uniform{kMillisecond, 3 * kMillisecond}, kGaps, seed), "unif");
        EXPECT_EQ(best(Normal{10 * kMillisecond, kMillisecond}, kGaps, seed), "normal");
        EXPECT_EQ(best(Pareto{1.5, 0.4 * kMillisecond}, kGaps, seed), "pareto");
        EXPECT_EQ(best(LogNormal{kMillisecond, 1}, kGaps, seed), "lognormal");
        EXPECT_EQ(best(Gamma{0.5, 2 * kMillisecond}, kGaps, seed), "gamma");
        EXPECT_EQ(best(Weibull{0.6, kMillisecond}, kGaps, seed), "weibull");
        EXPECT_EQ(best(Cauchy{100 * kMillisecond, kMillisecond}, kGaps, seed), "cauchy");
        EXPECT_EQ(best(StudentT{3, 100 * kMillisecond, 2 * kMillisecond}, kGaps, seed), "student");
        EXPECT_EQ(best(Constant{kMillisecond}, kGaps, seed), "const");
    }
}

TEST(FamilyFit, AFewStrayGapsBelowTheOthersDoNotHideAPareto) {
    for (const std::uint64_t seed : {1U, 2U}) {
        std::vector<std::int64_t> gaps = drawn(Pareto{1.5, 0.4 * kMillisecond}, 7482, seed);
        std::fill_n(gaps.begin(), 9, 0);  // packets that left in one batch
        for (std::size_t i = 9; i < 27; ++i) {
            gaps[i] = 399'000 - static_cast<std::int64_t>(i) * 1000;  // and after a late one
        }
        const auto fits = fit_families(make_sample(gaps), kGaps);
        ASSERT_EQ(family_name(fits.front().distribution), "pareto") << seed;
        const auto found = std::get<Pareto>(fits.front().distribution);
        EXPECT_NEAR(found.shape, 1.5, 4 * 1.5 / std::sqrt(7482)) << seed;
        EXPECT_NEAR(found.scale, 0.4 * kMillisecond, 0.003 * kMillisecond) << seed;
        EXPECT_LT(*fits.front().ks, 0.02) << seed;
    }
}

TEST(FamilyFit, WithoutStrayGapsAParetoBeginsAtTheSmallest) {
    const Sample sample = make_sample(drawn(Pareto{1.5, 0.4 * kMillisecond}, 60'000, 4));
    const auto found = std::get<Pareto>(fit_families(sample, kGaps).front().distribution);
    EXPECT_LE(found.scale, sample.values.front());
}

TEST(FamilyFit, FindsALawOfWhichDrawsWereRaisedToZero) {
    EXPECT_EQ(best(Normal{kMillisecond, kMillisecond}, kGaps, 1), "normal");
    EXPECT_EQ(best(StudentT{3, kMillisecond, kMillisecond}, kGaps, 2), "student");
    EXPECT_EQ(best(Cauchy{kMillisecond, kMillisecond / 2}, kGaps, 3), "cauchy");
}

TEST(FamilyFit, RatiosAreToTheMeanOfAllValues) {
    FitRules rules = kGaps;
    const Sample sample = make_sample(drawn(Exponential{kMillisecond}, 5000, 8));
    rules.mean = 1.25 * sample.mean();
    const auto fits = fit_families(sample, rules);
    EXPECT_NEAR(*fits.front().mean_ratio, 0.8, 1e-3);
    EXPECT_FALSE(keeps_mean(fits.front()));
}

void expect_families_of_sizes_found(std::uint64_t seed) {
    EXPECT_EQ(best(Constant{512}, kSizes, seed), "const");
    EXPECT_EQ(best(Uniform{63.5, 1472.5}, kSizes, seed), "unif");
    EXPECT_EQ(best(Normal{500, 50}, kSizes, seed), "normal");
    EXPECT_EQ(best(Poisson{20, 1}, kSizes, seed), "poisson");
    EXPECT_EQ(best(Discrete{{64, 594, 1518}, {7, 4, 1}}, kSizes, seed), "discrete");
    EXPECT_EQ(best(Exponential{400}, kSizes, seed), "exp");
}

TEST(FamilyFit, FindsTheFamilyThatSizesWereDrawnFrom) {
    for (std::uint64_t seed = 2; seed <= 5; ++seed) {
        expect_families_of_sizes_found(seed);
    }
}

/// Of one seed: what the sanitizers see.
TEST(FamilyFit, FindsTheFamilyOfOneSampleOfSizesEach) {
    expect_families_of_sizes_found(1);
}

TEST(FamilyFit, NearlyConstantGapsAreConstantWithinWhatWasSaid) {
    const Sample sample = make_sample(drawn(Uniform{0.992 * kMillisecond, 1.008 * kMillisecond}, 5000, 7));
    const auto fits = fit_families(sample, kGaps);
    EXPECT_EQ(family_name(fits[0].distribution), "const");
    EXPECT_TRUE(fits[0].nearly_constant);
    EXPECT_NEAR(std::get<Constant>(fits[0].distribution).value, kMillisecond, 300);
    EXPECT_FALSE(fits[0].lambda2);
    EXPECT_EQ(family_name(fits[1].distribution), "unif");
    FitRules exact = kGaps;
    exact.constant_within = 0;
    EXPECT_EQ(family_name(fit_families(sample, exact).front().distribution), "unif");
}

TEST(FamilyFit, APauseDoesNotMakeTheConstantLonger) {
    std::vector<std::int64_t> gaps(1000, 1'000'000);
    gaps.push_back(60'000'000'000);
    EXPECT_EQ(std::get<Constant>(fit_families(make_sample(gaps), kGaps).front().distribution).value, 1e6);
}

TEST(FamilyFit, AFittedFamilyThatHoldsIsWithinItsErrorOfZeroAndAllFiguresAreOfWhatModelsTake) {
    for (const Distribution& sent : {Distribution(Exponential{kMillisecond}), Distribution(Weibull{0.6, kMillisecond}),
                                     Distribution(Pareto{2.5, kMillisecond})}) {
        const auto fits = fit_families(make_sample(drawn(sent, 20'000, 11)), kGaps);
        EXPECT_LT(std::abs(*fits[0].lambda2), 4 * *fits[0].lambda2_error);
        EXPECT_LT(*fits[0].ks, 2.0 / std::sqrt(20'000));
        EXPECT_GE(fits.size(), 8U);
        for (const FamilyFit& fit : fits) {
            EXPECT_EQ(parameter_error(fit.distribution), "") << family_name(fit.distribution);
            EXPECT_TRUE(std::isfinite(fit.log_likelihood)) << family_name(fit.distribution);
        }
    }
}

TEST(FamilyFit, OneValueIsAConstantAndAFewAreFittedWithoutComparison) {
    EXPECT_EQ(family_name(fit_families(make_sample({7}), kSizes).front().distribution), "const");
    const auto fits = fit_families(make_sample({100, 220, 900}), kSizes);
    ASSERT_FALSE(fits.empty());
    EXPECT_FALSE(fits.front().lambda2);
    EXPECT_TRUE(fit_families(make_sample(std::vector<std::int64_t>(30, 0)), kGaps).empty()) << "all gaps 0";
}

}  // namespace
}  // namespace groma
