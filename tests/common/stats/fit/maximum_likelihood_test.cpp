#include "common/stats/fit/maximum_likelihood.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "common/model/distributions/log_density.hpp"
#include "common/model/distributions/sampler.hpp"
#include "common/stats/fit/family_fit.hpp"
#include "tests/common/stats/fit/likeliest.hpp"

namespace groma {
namespace {

constexpr double kMillisecond = 1e6;

Sample drawn(const Distribution& distribution, std::size_t count, std::uint64_t seed) {
    Sampler sampler(distribution, seed);
    std::vector<std::int64_t> values;
    values.reserve(count);
    while (values.size() < count) {
        const double value = sampler.draw();
        if (value >= 0 and value < 4e18) {
            values.push_back(std::llround(value));
        }
    }
    return make_sample(std::move(values));
}

/// By the definition, one value after the other.
double likelihood(const Sample& sample, const Distribution& distribution) {
    double sum = 0;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        sum += static_cast<double>(sample.counts[i]) * log_density(distribution, sample.values[i]);
    }
    return sum;
}

TEST(MaximumLikelihood, NoNeighbouringParametersAreMoreLikely) {
    const auto expect_top = [](const Sample& sample, const Distribution& top, const std::vector<Distribution>& others) {
        for (const Distribution& other : others) {
            EXPECT_GT(likelihood(sample, top), likelihood(sample, other)) << top.index();
        }
    };
    const Sample gamma = drawn(Gamma{0.7, kMillisecond}, 5000, 1);
    const auto g = std::get<Gamma>(likeliest_gamma(gamma).value());
    expect_top(gamma, g,
               {Gamma{g.shape * 1.001, g.scale}, Gamma{g.shape / 1.001, g.scale}, Gamma{g.shape, g.scale * 1.001},
                Gamma{g.shape, g.scale / 1.001}});
    const Sample weibull = drawn(Weibull{1.7, kMillisecond}, 5000, 2);
    const auto w = std::get<Weibull>(likeliest_weibull(weibull).value());
    expect_top(weibull, w,
               {Weibull{w.shape * 1.001, w.scale}, Weibull{w.shape / 1.001, w.scale}, Weibull{w.shape, w.scale * 1.001},
                Weibull{w.shape, w.scale / 1.001}});
    const Sample cauchy = drawn(Cauchy{100 * kMillisecond, kMillisecond}, 5000, 3);
    const auto c = std::get<Cauchy>(likeliest_cauchy(cauchy).value());
    expect_top(cauchy, c,
               {Cauchy{c.location * 1.0001, c.scale}, Cauchy{c.location / 1.0001, c.scale},
                Cauchy{c.location, c.scale * 1.001}, Cauchy{c.location, c.scale / 1.001}});
    const Sample student = drawn(StudentT{3, 100 * kMillisecond, kMillisecond}, 5000, 4);
    const auto t = std::get<StudentT>(likeliest_student(student).value());
    expect_top(student, t,
               {StudentT{t.degrees * 1.02, t.location, t.scale}, StudentT{t.degrees / 1.02, t.location, t.scale},
                StudentT{t.degrees, t.location * 1.0001, t.scale}, StudentT{t.degrees, t.location / 1.0001, t.scale},
                StudentT{t.degrees, t.location, t.scale * 1.005}, StudentT{t.degrees, t.location, t.scale / 1.005}});
    const Sample lognormal = drawn(LogNormal{kMillisecond, 0.5}, 5000, 5);
    const auto l = std::get<LogNormal>(likeliest_lognormal(lognormal).value());
    expect_top(lognormal, l,
               {LogNormal{l.median * 1.001, l.sigma}, LogNormal{l.median / 1.001, l.sigma},
                LogNormal{l.median, l.sigma * 1.001}, LogNormal{l.median, l.sigma / 1.001}});
}

/// Estimates over many samples: their mean is near the truth, and they spread as Fisher's information says.
void expect_spread(double truth, double error, std::size_t runs, const std::function<double(std::uint64_t)>& estimate) {
    double sum = 0;
    double squares = 0;
    for (std::size_t run = 0; run < runs; ++run) {
        const double off = estimate(run) - truth;
        sum += off;
        squares += off * off;
    }
    const double n = static_cast<double>(runs);
    EXPECT_NEAR(sum / n, 0, 4 * error / std::sqrt(n) + 0.1 * error);
    EXPECT_NEAR(std::sqrt(squares / n), error, 0.3 * error);
}

TEST(MaximumLikelihood, EstimatesSpreadAsTheInformationInTheSampleSays) {
    constexpr std::size_t kValues = 4000;
    constexpr std::size_t kRuns = 60;
    const double root = std::sqrt(static_cast<double>(kValues));
    expect_spread(kMillisecond, kMillisecond / root, kRuns, [](std::uint64_t seed) {
        return std::get<Exponential>(*likeliest_exponential(drawn(Exponential{kMillisecond}, kValues, seed))).mean;
    });
    expect_spread(1.5, 1.5 / root, kRuns, [](std::uint64_t seed) {
        return std::get<Pareto>(*likeliest_pareto(drawn(Pareto{1.5, kMillisecond}, kValues, seed))).shape;
    });
    expect_spread(0.5, 0.5 / root / std::sqrt(2), kRuns, [](std::uint64_t seed) {
        return std::get<LogNormal>(*likeliest_lognormal(drawn(LogNormal{kMillisecond, 0.5}, kValues, seed))).sigma;
    });
    // 0.7797 k / sqrt n [Cohen 1965].
    expect_spread(1.7, 0.7797 * 1.7 / root, kRuns, [](std::uint64_t seed) {
        return std::get<Weibull>(*likeliest_weibull(drawn(Weibull{1.7, kMillisecond}, kValues, seed))).shape;
    });
    // 1 / (trigamma(2) - 1/2) = 1/0.144934.
    expect_spread(2, std::sqrt(1 / 0.144934) / root, kRuns, [](std::uint64_t seed) {
        return std::get<Gamma>(*likeliest_gamma(drawn(Gamma{2, kMillisecond}, kValues, seed))).shape;
    });
    // Of location and scale alike 2 s^2 / n.
    expect_spread(kMillisecond, kMillisecond * std::sqrt(2) / root, kRuns, [](std::uint64_t seed) {
        return std::get<Cauchy>(*likeliest_cauchy(drawn(Cauchy{1e12, kMillisecond}, kValues, seed))).scale;
    });
}

/// As departures have them: draws below 0 are raised to 0.
Sample raised(const Distribution& distribution, std::size_t count, std::uint64_t seed) {
    Sampler sampler(distribution, seed);
    std::vector<std::int64_t> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(std::llround(std::clamp(sampler.draw(), 0.0, 4e18)));
    }
    return make_sample(std::move(values));
}

/// `top` is as likely as any neighbour, by the probability of the sample with its zeros.
void expect_top_of_raised(const Sample& sample, const Distribution& top, const std::vector<Distribution>& others) {
    for (const Distribution& other : others) {
        EXPECT_GT(log_likelihood(sample, top), log_likelihood(sample, other)) << family_name(top);
    }
}

TEST(MaximumLikelihood, ZerosCountAsDrawsBelowZeroOfLawsThatHaveThese) {
    constexpr double kOff = 0.05;
    const Sample of_normal = raised(Normal{kMillisecond, kMillisecond}, 20'000, 1);
    const auto n = std::get<Normal>(likeliest_normal(of_normal).value());
    EXPECT_NEAR(n.mean, kMillisecond, kOff * kMillisecond);
    EXPECT_NEAR(n.deviation, kMillisecond, kOff * kMillisecond);
    expect_top_of_raised(of_normal, n,
                         {Normal{n.mean * 1.003, n.deviation}, Normal{n.mean / 1.003, n.deviation},
                          Normal{n.mean, n.deviation * 1.003}, Normal{n.mean, n.deviation / 1.003}});
    const Sample of_cauchy = raised(Cauchy{kMillisecond, kMillisecond / 2}, 20'000, 2);
    const auto c = std::get<Cauchy>(likeliest_cauchy(of_cauchy).value());
    EXPECT_NEAR(c.location, kMillisecond, kOff * kMillisecond);
    EXPECT_NEAR(c.scale, kMillisecond / 2, kOff * kMillisecond / 2);
    expect_top_of_raised(of_cauchy, c,
                         {Cauchy{c.location * 1.003, c.scale}, Cauchy{c.location / 1.003, c.scale},
                          Cauchy{c.location, c.scale * 1.003}, Cauchy{c.location, c.scale / 1.003}});
    const Sample of_student = raised(StudentT{3, kMillisecond, kMillisecond}, 20'000, 3);
    const auto t = std::get<StudentT>(likeliest_student(of_student).value());
    EXPECT_NEAR(t.degrees, 3, 0.6);
    EXPECT_NEAR(t.location, kMillisecond, kOff * kMillisecond);
    EXPECT_NEAR(t.scale, kMillisecond, 2 * kOff * kMillisecond);
    expect_top_of_raised(
        of_student, t,
        {StudentT{t.degrees * 1.03, t.location, t.scale}, StudentT{t.degrees / 1.03, t.location, t.scale},
         StudentT{t.degrees, t.location * 1.003, t.scale}, StudentT{t.degrees, t.location / 1.003, t.scale},
         StudentT{t.degrees, t.location, t.scale * 1.005}, StudentT{t.degrees, t.location, t.scale / 1.005}});
}

TEST(MaximumLikelihood, AZeroThatNoLawDrawsChangesNothing) {
    std::vector<std::int64_t> values{0};
    for (int i = 0; i < 1000; ++i) {
        values.push_back(1'000'000 + i);
    }
    const Sample sample = make_sample(values);
    EXPECT_NEAR(std::get<Normal>(likeliest_normal(sample).value()).deviation, 31'600, 700);
    EXPECT_NEAR(std::get<StudentT>(likeliest_student(sample).value()).location, 1'000'500, 5);
}

TEST(MaximumLikelihood, OfASmallSampleIsWhatPaperSays) {
    const Sample sample = make_sample({1, 2, 3, 4, 10});
    EXPECT_EQ(std::get<Exponential>(*likeliest_exponential(sample)).mean, 4);
    const auto normal = std::get<Normal>(*likeliest_normal(sample));
    EXPECT_DOUBLE_EQ(normal.mean, 4);
    EXPECT_DOUBLE_EQ(normal.deviation, std::sqrt(10));  // (9 + 4 + 1 + 0 + 36) / 5
    const auto uniform = std::get<Uniform>(*likeliest_uniform(sample));
    EXPECT_EQ(uniform.low, 0.5);
    EXPECT_EQ(uniform.high, 10.5);
    const auto pareto = std::get<Pareto>(*likeliest_pareto(sample));
    EXPECT_DOUBLE_EQ(pareto.shape, 5 / std::log(240));
    EXPECT_EQ(pareto.scale, 1);
    const auto discrete = std::get<Discrete>(*likeliest_discrete(make_sample({5, 7, 5}), 64));
    EXPECT_EQ(discrete.values, (std::vector<double>{5, 7}));
    EXPECT_EQ(discrete.weights, (std::vector<double>{2, 1}));
    EXPECT_FALSE(likeliest_discrete(sample, 4));
}

TEST(MaximumLikelihood, OfEqualValuesIsNoFamilyWithASpread) {
    const Sample sample = make_sample(std::vector<std::int64_t>(100, 512));
    EXPECT_FALSE(likeliest_normal(sample));
    EXPECT_FALSE(likeliest_uniform(sample));
    EXPECT_FALSE(likeliest_pareto(sample));
    EXPECT_FALSE(likeliest_lognormal(sample));
    EXPECT_FALSE(likeliest_gamma(sample));
    EXPECT_FALSE(likeliest_weibull(sample));
    EXPECT_FALSE(likeliest_cauchy(sample));
    EXPECT_FALSE(likeliest_student(sample));
    EXPECT_TRUE(likeliest_exponential(sample));
}

TEST(MaximumLikelihood, OfZerosAndHugeValuesStaysFinite) {
    std::vector<std::int64_t> values(50, 0);
    values.insert(values.end(), {1, 2, 3, std::int64_t{1} << 62});
    const Sample sample = make_sample(values);
    for (const auto& likeliest :
         {likeliest_exponential, likeliest_normal, likeliest_uniform, likeliest_pareto, likeliest_lognormal,
          likeliest_gamma, likeliest_weibull, likeliest_cauchy, likeliest_student, likeliest_poisson}) {
        if (const auto found = likeliest(sample)) {
            EXPECT_TRUE(std::isfinite(log_likelihood(sample, *found))) << found->index();
        }
    }
    const Sample zeros = make_sample(std::vector<std::int64_t>(50, 0));
    EXPECT_FALSE(likeliest_exponential(zeros));
    EXPECT_FALSE(likeliest_normal(zeros));
    EXPECT_FALSE(likeliest_student(zeros));
}

TEST(MaximumLikelihood, TheLikelihoodOfRoundedValuesIsThatOfWhatIsRoundedToThem) {
    // Of a geometric law: P(k - 1/2 < X <= k + 1/2), and of 0 all below 1/2.
    const Sample sample = make_sample({0, 0, 1, 3});
    const double m = 2;
    const auto between = [m](double low, double high) { return std::exp(-low / m) - std::exp(-high / m); };
    EXPECT_NEAR(log_likelihood(sample, Exponential{m}),
                2 * std::log(between(0, 0.5)) + std::log(between(0.5, 1.5)) + std::log(between(2.5, 3.5)), 1e-12);
    // Far finer than the spread: the density times the resolution.
    const Sample fine = drawn(Gamma{2, kMillisecond}, 6000, 9);
    EXPECT_NEAR(log_likelihood(fine, Gamma{2, kMillisecond}), likelihood(fine, Gamma{2, kMillisecond}), 0.1);
}

}  // namespace
}  // namespace groma
