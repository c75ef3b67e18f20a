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
