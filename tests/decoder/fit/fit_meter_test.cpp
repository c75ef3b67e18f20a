#include "decoder/fit/fit_meter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/decoder/fit_samples.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

TEST(TrafficMeter, KeepsFlowsApart) {
    const FitResults results =
        fitted({{.gaps = Exponential{1e6}}, {.gaps = Uniform{1e6, 3e6}, .sizes = Constant{512}}});
    ASSERT_EQ(results.traffic.size(), 2U);
    EXPECT_EQ(family_name(results.traffic[0].gaps.families.front().distribution), "exp");
    EXPECT_EQ(family_name(results.traffic[1].gaps.families.front().distribution), "unif");
    EXPECT_EQ(family_name(results.traffic[1].sizes.families.front().distribution), "const");
    EXPECT_NEAR(*results.traffic[1].packet_rate_pps, 500, 5);
    EXPECT_NEAR(*results.traffic[1].bit_rate_bps, 500 * 4096, 5 * 4096);
    EXPECT_EQ(results.traffic[1].packets, 5000U);
    EXPECT_EQ(results.traffic[1].bytes, 5000U * 512);
}

TEST(TrafficMeter, FitsTheLargestFlowsThatHaveEnoughPacketsAndCountsTheOthers) {
    FitOptions options;
    options.fewest = 50;
    options.top = 2;
    const FitResults results =
        fitted({{.packets = 60}, {.packets = 49}, {.packets = 1000}, {.packets = 500}, {.packets = 0}}, options);
    ASSERT_EQ(results.traffic.size(), 2U);
    EXPECT_EQ(results.traffic[0].number, 3U);
    EXPECT_EQ(results.traffic[1].number, 4U);
    EXPECT_EQ(results.flows, 5U);
    EXPECT_EQ(results.too_few, 2U);
    EXPECT_EQ(results.beyond_top, 1U);
}

TEST(TrafficMeter, FitsOnlyTheFlowsThatWereAskedFor) {
    FitOptions options;
    options.flows = {2};
    const FitResults results = fitted({{}, {.name = "second"}, {}}, options);
    ASSERT_EQ(results.traffic.size(), 1U);
    EXPECT_EQ(results.traffic[0].name, "second");
    EXPECT_EQ(results.too_few, 0U);
}

TEST(TrafficMeter, TheFirstPacketsCountWhetherFiguresWereBegunOrNot) {
    FitOptions few;
    few.fewest = 3;
    FitOptions many;
    many.fewest = 5000;
    const FitResults one = fitted({{}}, few);
    const FitResults other = fitted({{}}, many);
    EXPECT_EQ(one.traffic[0].gaps.mean, other.traffic[0].gaps.mean);
    EXPECT_EQ(one.traffic[0].gaps.autocorrelation, other.traffic[0].gaps.autocorrelation);
    EXPECT_EQ(one.traffic[0].gaps.values, 4999U);
}

TEST(TrafficMeter, GapsThatAreNotKnownAreLeftOutAndTold) {
    FitOptions options;
    options.fewest = 10;
    TrafficMeter meter(options);
    FlowMeter* const flow = meter.begin_flow("log", "flow", Transport::udp);
    for (std::int64_t i = 0; i < 100; ++i) {
        meter.add(*flow, i * 1'000'000 + (i >= 50 ? 9'000'000'000 : 0), 100, i != 50);
    }
    meter.add(*flow, 0, 100);
    FitResults results;
    meter.fit(results, [](std::size_t, std::size_t) {});
    const TrafficFit& fit = results.traffic.at(0);
    EXPECT_EQ(fit.gaps.values, 98U);
    EXPECT_EQ(fit.gaps.sample.values, (std::vector<double>{1e6}));
    ASSERT_EQ(fit.notes.size(), 2U);
    EXPECT_THAT(fit.notes[0], HasSubstr("1 packet has a time before"));
    EXPECT_THAT(fit.notes[1], HasSubstr("1 gap is left out"));
}

TEST(TrafficMeter, AFlowOfMoreThanItKeepsIsFittedToAChoiceAndSaysSo) {
    const FitResults results = fitted({{.sizes = Constant{100}, .packets = 100'000}});
    EXPECT_EQ(results.traffic[0].gaps.values, 99'999U);
    EXPECT_EQ(results.traffic[0].gaps.sample.total, TrafficMeter::kMostOfProcess);
    EXPECT_EQ(family_name(results.traffic[0].gaps.families.front().distribution), "exp");
    EXPECT_THAT(results.traffic[0].notes.at(0), HasSubstr("65536 of 99999 gaps"));
}

}  // namespace
}  // namespace groma
