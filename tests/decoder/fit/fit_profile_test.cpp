#include "decoder/fit/fit_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/model/flow/flow_text.hpp"
#include "tests/decoder/fit_samples.hpp"

namespace groma {
namespace {

Experiment profile_of(const std::vector<SampleTraffic>& traffic, const FitOptions& options = {}) {
    return parse_experiment(fit_profile(fitted(traffic), options), "profile", {}, 1);
}

TEST(FitProfile, IsAnExperimentOfTheFlowsThatWereSeen) {
    FitOptions options;
    options.to = "10.99.0.2:9100";
    const Experiment experiment = profile_of({{.name = "say \"hello\" \\ twice"},
                                              {.name = "bulk",
                                               .transport = Transport::tcp,
                                               .gaps = Constant{2e6},
                                               .sizes = Discrete{{100, 1400}, {1, 3}},
                                               .first_ns = 1'700'000'001'500'000'000}},
                                             options);
    ASSERT_EQ(experiment.flows.size(), 2U);
    const FlowSpec& first = experiment.flows[0];
    EXPECT_EQ(first.name, "say \"hello\" \\ twice");
    EXPECT_EQ(first.target.host, "10.99.0.2");
    EXPECT_EQ(first.target.control_port, 9100);
    EXPECT_NEAR(std::get<Exponential>(first.idt).mean, 1e6, 6e4);
    EXPECT_EQ(first.size, Distribution(Uniform{99.5, 319.5}));
    EXPECT_EQ(first.start_delay, Nanos{0});
    EXPECT_NEAR(to_seconds(*first.stop.duration), 5, 0.4);
    const FlowSpec& second = experiment.flows[1];
    EXPECT_EQ(second.transport, Transport::tcp);
    EXPECT_EQ(second.idt, Distribution(Constant{2e6}));
    EXPECT_EQ(second.start_delay, Nanos{1'500'000'000});
    EXPECT_EQ(*second.stop.duration, Nanos{10'000'000'000}) << "5000 gaps of 2 ms: the last packet is within";
}

TEST(FitProfile, SendsInReverseWhatCameBack) {
    FitResults results = fitted({{.name = "there"}, {.name = "back"}});
    results.traffic[1].reverse = true;
    const Experiment experiment = parse_experiment(fit_profile(results, {}), "profile", {}, 1);
    EXPECT_EQ(experiment.flows.at(0).direction, Direction::forward);
    EXPECT_EQ(experiment.flows.at(1).direction, Direction::reverse);
}

TEST(FitProfile, AsSeenHasTheMeanOfWhatWasSeen) {
    FitOptions options;
    options.empirical = true;
    const SampleTraffic traffic{.gaps = Mixture{{1, 1}, {Uniform{1e5, 2e5}, Uniform{4e6, 5e6}}},
                                .sizes = Normal{700, 200}};
    const FitResults results = fitted({traffic});
    const Experiment experiment = parse_experiment(fit_profile(results, options), "profile", {}, 1);
    EXPECT_NEAR(*mean(experiment.flows[0].idt), results.traffic[0].gaps.sample.mean(), 10);
    EXPECT_NEAR(*mean(experiment.flows[0].size), results.traffic[0].sizes.sample.mean(), 0.5);
    EXPECT_NEAR(cdf(experiment.flows[0].idt, 3e6), 0.5, 0.03);
}

TEST(FitProfile, KeepsTheRateWhereTheBestFamilyDoesNot) {
    for (const Distribution& gaps : {Distribution(StudentT{0.53, 4e6, 4e4}), Distribution(Cauchy{1e8, 1e6})}) {
        const FitResults results = fitted({{.gaps = gaps, .packets = 3572}});
        const ProcessFit& seen = results.traffic[0].gaps;
        EXPECT_FALSE(keeps_mean(seen.families.front())) << family_name(seen.families.front().distribution);
        const std::string text = fit_profile(results, {});
        EXPECT_THAT(text, ::testing::HasSubstr("# as seen, 3571 values: "));
        const Experiment experiment = parse_experiment(text, "profile", {}, 1);
        EXPECT_NEAR(*mean(experiment.flows[0].idt), seen.sample.mean(), 1e-6 * seen.sample.mean());
        EXPECT_THAT(results.traffic[0].notes,
                    ::testing::Contains(::testing::AllOf(::testing::HasSubstr("the best family of the gaps"),
                                                         ::testing::HasSubstr("Its variance is infinite"))));
    }
    EXPECT_TRUE(keeps_mean(fitted({{}}).traffic[0].gaps.families.front()));
}

TEST(FitProfile, KeepsTheRateOfAllGapsWhereOnlySomeAreFitted) {
    FitOptions options;
    options.empirical = true;
    const FitResults results = fitted({{.gaps = Pareto{1.1, 1e5}, .packets = 120'000}});
    const ProcessFit& gaps = results.traffic[0].gaps;
    ASSERT_EQ(gaps.sample.total, 65'536U);
    ASSERT_GT(std::abs(gaps.sample.mean() / gaps.mean - 1), 0.02) << "chance chose other tails";
    const FamilyFit& best = gaps.families.front();
    EXPECT_NEAR(*best.mean_ratio, *mean(best.distribution) / gaps.mean, 1e-9);
    const Experiment experiment = parse_experiment(fit_profile(results, options), "profile", {}, 1);
    EXPECT_NEAR(*mean(experiment.flows[0].idt), gaps.mean, 1e-6 * gaps.mean);
    EXPECT_NEAR(cdf(experiment.flows[0].idt, gaps.sample.quantile(0.5)), 0.5, 0.01) << "the body is not moved";
    EXPECT_NEAR(*mean(experiment.flows[0].size), results.traffic[0].sizes.sample.mean(), 0.5);
}

TEST(FitProfile, SizesThatCannotBeSentAreHeldToWhatCan) {
    FitOptions options;
    for (const bool empirical : {false, true}) {
        options.empirical = empirical;
        TrafficMeter meter(options);
        FlowMeter* const flow = meter.begin_flow("a.pcap", "odd", Transport::udp);
        for (std::int64_t i = 0; i < 3000; ++i) {
            meter.add(*flow, i * i * 1000, static_cast<std::uint32_t>(i * 23));  // 0 to 68977
        }
        FitResults results;
        results.sources.emplace_back();
        meter.fit(results, [](std::size_t, std::size_t) {});
        EXPECT_NO_THROW(static_cast<void>(parse_experiment(fit_profile(results, options), "profile", {}, 1)))
            << empirical;
    }
}

TEST(FitProfile, FlowsOfOneNameGetNamesOfTheirOwn) {
    const Experiment experiment = profile_of({{.name = "a"}, {.name = "a"}, {.name = ""}});
    EXPECT_EQ(experiment.flows[1].name, "a 2");
    EXPECT_EQ(experiment.flows[2].name, "flow");
}

TEST(FitProfile, OfNoFlowsIsRefused) {
    EXPECT_THROW(static_cast<void>(fit_profile(FitResults(), {})), RunError);
}

}  // namespace
}  // namespace groma
