#include "common/stats/fidelity/distribution_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/model/distributions/reference.hpp"
#include "common/model/distributions/sampler.hpp"
#include "common/model/flow/fine_time.hpp"
#include "common/stats/fidelity/gap_counts.hpp"

namespace groma {
namespace {

constexpr double kMillisecond = 1e6;

std::vector<std::int64_t> drawn(const Distribution& idt, std::size_t gaps, std::uint64_t seed) {
    Sampler sampler(idt, seed);
    std::vector<std::int64_t> all;
    all.reserve(gaps);
    for (std::size_t i = 0; i < gaps; ++i) {
        all.push_back(std::llround(std::max(sampler.draw(), 0.0)));
    }
    return all;
}

std::optional<DistributionFit> fit_of(const std::shared_ptr<const GapModel>& model,
                                      const std::vector<std::int64_t>& gaps) {
    GapCounts counts(model);
    for (const std::int64_t gap : gaps) {
        counts.add(gap);
    }
    PooledGaps pooled;
    pooled.add(counts);
    return pooled.fit();
}

DistributionFit fit_of(const Distribution& asked, const std::vector<std::int64_t>& gaps) {
    return fit_of(std::make_shared<const GapModel>(asked), gaps).value();
}

/// By the definition, over the sorted list.
double exact_ks(const Distribution& asked, std::vector<std::int64_t> gaps) {
    std::ranges::sort(gaps);
    const double n = static_cast<double>(gaps.size());
    double distance = 0;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        const double u = cdf(asked, static_cast<double>(gaps[i]));
        distance = std::max({distance, static_cast<double>(i + 1) / n - u, u - static_cast<double>(i) / n});
    }
    return distance;
}

/// [Anderson and Darling 1954], over the sorted list.
double exact_a2(const Distribution& asked, std::vector<std::int64_t> gaps) {
    std::ranges::sort(gaps);
    const std::size_t n = gaps.size();
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double low = cdf(asked, static_cast<double>(gaps[i]));
        const double high = survival(asked, static_cast<double>(gaps[n - 1 - i]));
        sum += static_cast<double>(2 * i + 1) * (std::log(low) + std::log(high));
    }
    return -static_cast<double>(n) - sum / static_cast<double>(n);
}

/// The gap of this probability, from the upper end or the lower one.
double gap_of(const Distribution& idt, double rare, bool upper) {
    double low = 0;
    double high = 1e18;
    for (int halvings = 0; halvings < 200; ++halvings) {
        const double middle = (low + high) / 2;
        const bool too_low = upper ? survival(idt, middle) > rare : cdf(idt, middle) < rare;
        (too_low ? low : high) = middle;
    }
    return high;
}

/// lambda squared over bins of exactly equal probability, by [Paxson 1994].
double exact_lambda2(const Distribution& asked, const std::vector<std::int64_t>& gaps, std::size_t bins) {
    std::vector<double> counts(bins);
    for (const std::int64_t gap : gaps) {
        const double u = cdf(asked, static_cast<double>(gap));
        ++counts[std::min(static_cast<std::size_t>(u * static_cast<double>(bins)), bins - 1)];
    }
    const double n = static_cast<double>(gaps.size());
    const double expected = n / static_cast<double>(bins);
    double x2 = 0;
    double k = 0;
    for (const double count : counts) {
        x2 += (count - expected) * (count - expected) / expected;
        k += (count - expected) / expected;
    }
    return (x2 - k - static_cast<double>(bins - 1)) / (n - 1);
}

const std::vector<Distribution>& continuous() {
    static const std::vector<Distribution> all{
        Uniform{0.5 * kMillisecond, 1.5 * kMillisecond},
        Exponential{kMillisecond},
        Exponential{20'000},
        Normal{kMillisecond, 1000},
        Pareto{1.5, 300'000},
        Gamma{0.5, 2 * kMillisecond},
        Weibull{1.5, kMillisecond},
        LogNormal{kMillisecond, 1},
        StudentT{4, kMillisecond, 10'000},
        Mixture{{1, 3}, {Exponential{100'000}, Normal{5 * kMillisecond, 50'000}}},
    };
    return all;
}

TEST(DistributionFit, IsAboutZeroWithinItsErrorWhenWhatWasAskedForIsSent) {
    for (std::size_t which = 0; which < continuous().size(); ++which) {
        const Distribution& asked = continuous()[which];
        const auto model = std::make_shared<const GapModel>(asked);
        constexpr unsigned kRuns = 40;
        constexpr std::size_t kGaps = 5000;
        double lambda2 = 0;
        double a2 = 0;
        double error = 0;
        double squares = 0;
        for (unsigned run = 0; run < kRuns; ++run) {
            const auto fit = fit_of(model, drawn(asked, kGaps, 1000 * which + run)).value();
            EXPECT_EQ(fit.gaps, kGaps);
            EXPECT_EQ(fit.bins, 32U) << which;
            lambda2 += fit.lambda2 / kRuns;
            squares += fit.lambda2 * fit.lambda2 / kRuns;
            error += fit.lambda2_error / kRuns;
            a2 += fit.a2 / kRuns;
            EXPECT_LT(std::abs(fit.lambda2), 5 * fit.lambda2_error) << which;
            EXPECT_LT(fit.ks, 2.2 / std::sqrt(kGaps)) << which;  // exceeded by 1 of 8000 [Kolmogorov]
        }
        // sqrt(2 df)/n is the error of one, and the spread that was found; the mean of 40 has a sixth of it.
        EXPECT_NEAR(error, std::sqrt(62.0) / kGaps, 0.2 * std::sqrt(62.0) / kGaps) << which;
        EXPECT_NEAR(std::sqrt(squares), error, 0.4 * error) << which;
        EXPECT_NEAR(lambda2, 0, 4 * error / std::sqrt(kRuns)) << which;
        EXPECT_NEAR(a2, 1, 0.5) << which;  // its expectation is 1, its variance 0.58 [Anderson and Darling 1954]
    }
}

TEST(DistributionFit, AgreesWithTheFormulasOverTheWholeListOfGaps) {
    const std::vector<std::pair<Distribution, Distribution>> asked_and_sent{
        {Exponential{kMillisecond}, Exponential{kMillisecond}},
        {Exponential{kMillisecond}, Exponential{1.1 * kMillisecond}},
        {Exponential{kMillisecond}, Uniform{0, 2 * kMillisecond}},
        {LogNormal{kMillisecond, 1}, LogNormal{kMillisecond, 1.2}},
        {Gamma{2, kMillisecond}, Gamma{1.8, kMillisecond}},
        {StudentT{3, 10 * kMillisecond, 100'000}, Normal{10 * kMillisecond, 100'000}},
        {Pareto{1.5, 300'000}, Pareto{1.4, 300'001}},
    };
    for (std::size_t which = 0; which < asked_and_sent.size(); ++which) {
        const auto& [asked, sent] = asked_and_sent[which];
        for (const std::size_t gaps : {std::size_t{100}, std::size_t{3000}, std::size_t{100'000}}) {
            const auto list = drawn(sent, gaps, 77 + which);
            const DistributionFit fit = fit_of(asked, list);
            const double n = static_cast<double>(gaps);
            EXPECT_NEAR(fit.lambda2, exact_lambda2(asked, list, fit.bins),
                        0.03 * std::abs(fit.lambda2) + 0.5 * fit.lambda2_error)
                << which << ' ' << gaps;
            const double ks = exact_ks(asked, list);
            EXPECT_GE(ks, fit.ks - 1e-5) << which << ' ' << gaps;
            EXPECT_LE(ks, fit.ks + fit.ks_within + 1e-5) << which << ' ' << gaps;
            EXPECT_LT(fit.ks_within, 2.0 / GapModel::kPlainCells + 6 / n) << which << ' ' << gaps;
            const double a2 = exact_a2(asked, list);
            EXPECT_NEAR(fit.a2, a2, 0.03 * a2 + 0.03) << which << ' ' << gaps;
        }
    }
}

TEST(DistributionFit, AConstantRateInsteadOfAnExponentialHasKnownFigures) {
    const std::vector<std::int64_t> constant(10'000, 1'000'000);
    const DistributionFit fit = fit_of(Exponential{kMillisecond}, constant);
    EXPECT_EQ(fit.bins, 32U);
    // All in one bin: X2 = n (N - 1), K = 0, and so lambda2 = (n (N - 1) - (N - 1)) / (n - 1).
    EXPECT_NEAR(fit.lambda2, 31, 1.5);
    const double below = 1 - std::exp(-1.0);
    EXPECT_LE(fit.ks, below);
    EXPECT_GE(fit.ks + fit.ks_within, below);
    EXPECT_LT(fit.ks_within, 0.002);
    // n (-ln u - ln(1 - u) - 1) for a step from 0 to 1 at u.
    const double a2 = 10'000 * (-std::log(below) - std::log(1 - below) - 1);
    EXPECT_NEAR(fit.a2, a2, 0.01 * a2);
}

TEST(DistributionFit, TheErrorOfAMisfitIsWhatItsChanceMakesOfIt) {
    const Exponential asked{kMillisecond};
    const auto model = std::make_shared<const GapModel>(Distribution(asked));
    constexpr int kRuns = 200;
    double sum = 0;
    double squares = 0;
    double error = 0;
    for (int run = 0; run < kRuns; ++run) {
        const auto fit = fit_of(model, drawn(Exponential{1.5 * kMillisecond}, 2000, static_cast<std::uint64_t>(run)));
        sum += fit->lambda2 / kRuns;
        squares += fit->lambda2 * fit->lambda2 / kRuns;
        error += fit->lambda2_error / kRuns;
    }
    EXPECT_NEAR(error, std::sqrt(squares - sum * sum), 0.2 * error);
}

/// A fifth of the gaps is one gap.
std::vector<std::int64_t> partly_equal(std::size_t gaps) {
    std::vector<std::int64_t> list = drawn(Exponential{50'000}, gaps, 11);
    for (std::size_t i = 0; i < list.size(); i += 5) {
        list[i] = 25'000;
    }
    return list;
}

TEST(DistributionFit, Lambda2OfAMisfitIsTheSameWhateverTheNumberOfGaps) {
    for (const std::size_t gaps : {std::size_t{890}, std::size_t{9850}, std::size_t{40'000}}) {
        const DistributionFit fit = fit_of(Exponential{50'000}, partly_equal(gaps));
        // A share e in one of N bins gives e^2 (N - 1); KS is within e of the jump at the 39 % that are below it.
        EXPECT_NEAR(fit.lambda2, 0.04 * 31, 3 * fit.lambda2_error + 0.02) << gaps;
        EXPECT_LT(fit.lambda2_error, 0.2) << gaps;
        EXPECT_NEAR(fit.ks, 0.12, 0.03) << gaps;
    }
}

/// A host that stops often and catches up at once: what was due meanwhile leaves together.
std::vector<std::int64_t> stalled(std::uint64_t seed) {
    std::vector<std::int64_t> list = drawn(Exponential{50'000}, 20'000, seed);
    Sampler stalls(Exponential{4e6}, seed + 1'000'000);
    std::int64_t owed = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i % 1000 == 0) {
            owed = std::llround(stalls.draw());
            list[i] += owed;
        } else {
            const std::int64_t caught_up = std::min(owed, list[i]);
            owed -= caught_up;
            list[i] -= caught_up;
        }
    }
    return list;
}

TEST(DistributionFit, TheErrorContainsTheDependenceOfGapsOnEachOther) {
    const auto model = std::make_shared<const GapModel>(Distribution(Exponential{50'000}));
    constexpr int kRuns = 150;
    double sum = 0;
    double squares = 0;
    double error = 0;
    double independent = 0;
    for (int run = 0; run < kRuns; ++run) {
        GapCounts counts(model);
        GapCounts shuffled(model);
        for (const std::int64_t gap : stalled(static_cast<std::uint64_t>(run))) {
            counts.add(gap);
            shuffled.add_to_cell(model->cell(gap), 1);
        }
        PooledGaps pooled;
        pooled.add(counts);
        const double lambda2 = pooled.fit()->lambda2;
        sum += lambda2 / kRuns;
        squares += lambda2 * lambda2 / kRuns;
        error += pooled.fit()->lambda2_error / kRuns;
        PooledGaps without_order;
        shuffled.set_batches({});
        without_order.add(shuffled);
        independent += without_order.fit()->lambda2_error / kRuns;
    }
    const double spread = std::sqrt(squares - sum * sum);
    EXPECT_NEAR(error, spread, 0.25 * spread);
    EXPECT_LT(independent, spread / 3);
}

TEST(DistributionFit, GapsOfZeroAndFarBeyondTheRestStayFinite) {
    std::vector<std::int64_t> gaps = drawn(Uniform{900'000, 1'100'000}, 2000, 5);
    gaps.insert(gaps.end(), 10, 0);
    gaps.insert(gaps.end(), 10, std::int64_t{1} << 62);
    const DistributionFit fit = fit_of(Uniform{900'000, 1'100'000}, gaps);
    EXPECT_TRUE(std::isfinite(fit.lambda2));
    EXPECT_TRUE(std::isfinite(fit.lambda2_error));
    EXPECT_TRUE(std::isfinite(fit.a2));
    EXPECT_GT(fit.a2, 1);
    EXPECT_GE(fit.ks + fit.ks_within, 10.0 / 2020);
}

TEST(DistributionFit, NeedsTwentyGaps) {
    const auto model = std::make_shared<const GapModel>(Distribution(Exponential{kMillisecond}));
    EXPECT_FALSE(fit_of(model, drawn(Exponential{kMillisecond}, 19, 1)));
    const auto fit = fit_of(model, drawn(Exponential{kMillisecond}, 20, 1));
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->bins, 4U);
    EXPECT_FALSE(PooledGaps().fit());
}

TEST(DistributionFit, FlowsOfDifferentDistributionsAreJudgedTogether) {
    PooledGaps good;
    PooledGaps bad;
    for (std::size_t which = 0; which < continuous().size(); ++which) {
        const auto model = std::make_shared<const GapModel>(continuous()[which]);
        GapCounts as_asked(model);
        GapCounts other(model);
        for (const std::int64_t gap : drawn(continuous()[which], 3000, which)) {
            as_asked.add(gap);
            other.add(gap * 2);
        }
        good.add(as_asked);
        bad.add(other);
    }
    const DistributionFit fit = good.fit().value();
    EXPECT_EQ(fit.gaps, 30'000U);
    EXPECT_LT(std::abs(fit.lambda2), 4 * fit.lambda2_error);
    EXPECT_LT(fit.a2, 6);
    EXPECT_GT(bad.fit()->lambda2, 1);
}

TEST(DistributionFit, FlowsOfOneDistributionTogetherAreAsOneFlowOfAllTheirGaps) {
    const auto model = std::make_shared<const GapModel>(Distribution(Exponential{50'000}));
    GapCounts whole(model);
    PooledGaps parts;
    for (std::uint64_t flow = 0; flow < 5; ++flow) {
        GapCounts part(model);
        for (const std::int64_t gap : drawn(Exponential{50'000}, 700 * (flow + 1), flow)) {
            part.add(gap);
            whole.add(gap);
        }
        parts.add(part);
    }
    PooledGaps one;
    one.add(whole);
    const DistributionFit a = parts.fit().value();
    const DistributionFit b = one.fit().value();
    EXPECT_EQ(a.gaps, b.gaps);
    EXPECT_EQ(a.bins, b.bins);
    EXPECT_NEAR(a.lambda2, b.lambda2, 1e-9);
    EXPECT_NEAR(a.ks, b.ks, 1e-12);
    EXPECT_NEAR(a.a2, b.a2, 1e-6);
}

/// As a schedule makes them: both departures of a gap are rounded to the nearest nanosecond.
std::vector<std::int64_t> scheduled(const Distribution& idt, std::size_t gaps, std::uint64_t seed) {
    Sampler sampler(idt, seed);
    FineTime time;
    std::vector<std::int64_t> all;
    all.reserve(gaps);
    for (std::size_t i = 0; i < gaps; ++i) {
        const Nanos before = time.rounded();
        time.add(std::max(sampler.draw(), 0.0));
        all.push_back((time.rounded() - before).count());
    }
    return all;
}

const std::vector<Distribution>& narrow() {
    static const std::vector<Distribution> all{
        Normal{kMillisecond, 2},
        Normal{kMillisecond, 5},
        Normal{kMillisecond, 100},
        Uniform{kMillisecond, kMillisecond + 5},
        Uniform{999'990.5, 1'000'010.25},
        Exponential{30},
        Gamma{3, 4},
        Weibull{5, 40},
        LogNormal{kMillisecond, 1e-5},
        Mixture{{1, 1}, {Normal{1000, 3}, Normal{kMillisecond, 3}}},
    };
    return all;
}

TEST(DistributionFit, OfDistributionsNarrowerThanTheCellsWouldBeIsAboutZeroWithinItsError) {
    for (std::size_t which = 0; which < narrow().size(); ++which) {
        const auto model = std::make_shared<const GapModel>(narrow()[which]);
        ASSERT_FALSE(model->too_narrow()) << which;
        constexpr unsigned kRuns = 40;
        double lambda2 = 0;
        double error = 0;
        double squares = 0;
        double a2 = 0;
        for (unsigned run = 0; run < kRuns; ++run) {
            const auto gaps = scheduled(narrow()[which], 5000, 1000 * which + run);
            const DistributionFit fit = fit_of(model, gaps).value();
            EXPECT_GE(fit.bins, 4U) << which;
            EXPECT_LT(fit.ks, 2.2 / std::sqrt(5000)) << which;
            EXPECT_LT(fit.ks_within, 0.004) << which;
            lambda2 += fit.lambda2 / kRuns;
            squares += fit.lambda2 * fit.lambda2 / kRuns;
            error += fit.lambda2_error / kRuns;
            a2 += fit.a2 / kRuns;
        }
        EXPECT_NEAR(lambda2, 0, 4 * error / std::sqrt(kRuns)) << which;
        EXPECT_NEAR(std::sqrt(squares), error, 0.5 * error) << which;
        EXPECT_GT(a2, 0.3) << which;
        EXPECT_LT(a2, 1.5) << which;
    }
}

TEST(DistributionFit, ANarrowDistributionThatIsNotSentShows) {
    for (const Distribution& asked : narrow()) {
        std::vector<std::int64_t> gaps = scheduled(asked, 5000, 3);
        for (std::size_t i = 0; i < gaps.size(); i += 2) {
            gaps[i] += 200;  // of every pair of gaps one is too long
        }
        const DistributionFit fit = fit_of(asked, gaps);
        EXPECT_GT(fit.lambda2, 10 * fit.lambda2_error);
        EXPECT_GT(fit.lambda2, 0.5);
        EXPECT_GT(fit.ks, 0.2);
        EXPECT_GT(fit.a2, 100);
    }
}

TEST(DistributionFit, BinsAreOfAboutEqualProbabilityOfANarrowDistributionFarFromZero) {
    // 1 ms: the first edge was once searched by its distance from it, and a fourth of all gaps lay below it.
    const GapModel model(Normal{kMillisecond, 1000});
    EXPECT_LT(model.probabilities()[0], 1e-9);
    EXPECT_LT(*std::ranges::max_element(model.probabilities()), 1.5 / GapModel::kPlainCells);  // the clock's edges
}

TEST(DistributionFit, ThereIsNoneOfWhatTheClockCannotTellFromAConstant) {
    for (const Distribution& asked :
         {Distribution(Normal{kMillisecond, 0.1}), Distribution(Normal{kMillisecond, 1}),
          Distribution(Uniform{1000, 1003}), Distribution(Mixture{{1, 1}, {Exponential{1e6}, Normal{5e6, 0.2}}})}) {
        const auto model = std::make_shared<const GapModel>(asked);
        EXPECT_TRUE(model->too_narrow());
        EXPECT_FALSE(fit_of(model, scheduled(asked, 1000, 1)));
    }
    EXPECT_FALSE(GapModel(Distribution(Normal{kMillisecond, 2})).too_narrow());
}

TEST(DistributionFit, AGapFarOutInATailCountsInA2AsItsProbabilitySays) {
    const std::vector<Distribution> all{
        Exponential{kMillisecond}, Weibull{1.5, kMillisecond},         Gamma{3, kMillisecond},
        Pareto{1.5, 300'000},      Normal{10 * kMillisecond, 100'000}, LogNormal{kMillisecond, 0.5}};
    for (std::size_t which = 0; which < all.size(); ++which) {
        for (const std::size_t gaps : {std::size_t{30}, std::size_t{300}, std::size_t{3000}}) {
            for (const bool upper : {true, false}) {
                std::vector<std::int64_t> list = drawn(all[which], gaps, 31 + which);
                const double before = exact_a2(all[which], list);
                for (const double rare : {1e-5, 1e-8, 1e-11}) {
                    std::vector<std::int64_t> with = list;
                    with.push_back(std::llround(gap_of(all[which], rare, upper)));
                    const double exact = exact_a2(all[which], with);
                    const DistributionFit fit = fit_of(all[which], with);
                    EXPECT_NEAR(fit.a2, exact, 0.03 * exact + 0.03 + 1.0 / static_cast<double>(gaps))
                        << which << ' ' << gaps << ' ' << rare << ' ' << upper << ' ' << before;
                }
            }
        }
    }
}

TEST(DistributionFit, ImpossibleGapsCountInA2AsIfTheirProbabilityWereTheRarest) {
    const Uniform asked{900'000, 1'100'000};
    const auto list = drawn(asked, 2000, 5);
    const double before = fit_of(asked, list).a2;
    for (const std::int64_t impossible : {std::int64_t{0}, std::int64_t{1} << 61}) {
        auto with = list;
        with.insert(with.end(), 10, impossible);
        const double n = 2010;
        // F - u is 10 / n from the rarest probability to where the first possible gaps are, and less from there on.
        const double jump = 10 / n;
        const double at_most = before + n * jump * jump * std::log(0x1p41) + n * jump * jump + 4 * jump * std::sqrt(n);
        const double a2 = fit_of(asked, with).a2;
        EXPECT_GT(a2, n * jump * jump * std::log(jump * 0x1p41) - before);
        EXPECT_LT(a2, at_most);
    }
}

TEST(KsChance, IsThatOfTheTables) {
    // Stephens 1970, table 1A: critical values of the scaled distance for 15, 10, 5, 2.5 and 1 %.
    for (const auto& [scaled, chance] : {std::pair(1.138, 0.15), std::pair(1.224, 0.10), std::pair(1.358, 0.05),
                                         std::pair(1.480, 0.025), std::pair(1.628, 0.01)}) {
        for (const std::uint64_t values : {20U, 1000U, 1'000'000U}) {
            const double root = std::sqrt(static_cast<double>(values));
            EXPECT_NEAR(ks_chance(scaled / (root + 0.12 + 0.11 / root), values), chance, 0.001);
        }
    }
    EXPECT_EQ(ks_chance(0, 100), 1);
    EXPECT_EQ(ks_chance(1, 100'000), 0);
    EXPECT_NEAR(ks_chance(0.0301, 100), 1, 1e-4);
}

TEST(KsText, HasBothBoundsWhereTheyDifferByMoreThanATenth) {
    EXPECT_EQ(ks_text({.ks = 0.02, .ks_within = 0.002}), "0.0200");
    EXPECT_EQ(ks_text({.ks = 0.002, .ks_within = 0.334}), "0.0020 to 0.3360");
    EXPECT_EQ(ks_text({.ks = 0.8, .ks_within = 0.3}), "0.8000 to 1.0000");
    EXPECT_EQ(ks_text({}), "0.0000");
}

}  // namespace
}  // namespace groma
