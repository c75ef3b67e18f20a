#include "sender/calibration/calibration_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/model/distributions/reference.hpp"
#include "common/model/flow/flow_text.hpp"
#include "tests/sender/calibration/sample_calibration.hpp"

namespace groma {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

Nanos whole_time(const CalibrationSettings& settings) {
    return estimate(settings, sweep_points(settings), kUsualOverhead) + estimate_searches(settings, kUsualOverhead);
}

TEST(CalibrationPlan, CoversRatesInDecadesSizesDistributionsAndLoggingByDefault) {
    const CalibrationSettings settings = usual_settings(false, 42);
    EXPECT_THAT(settings.rates_pps, Contains(100));
    EXPECT_THAT(settings.rates_pps, Contains(50'000));
    EXPECT_THAT(settings.rates_pps, Contains(1e7));
    EXPECT_TRUE(std::ranges::is_sorted(settings.rates_pps));
    EXPECT_THAT(settings.sizes_bytes, ElementsAre(64, 512, 1472));
    EXPECT_EQ(settings.distributions.size(), 7U);
    EXPECT_THAT(settings.loggings, ElementsAre(LoggingWay::local, LoggingWay::off));
    EXPECT_EQ(settings.seed, 42U);
}

TEST(CalibrationPlan, ComparesWaysToALogServerWhenThereIsOne) {
    EXPECT_THAT(usual_settings(true, 1).loggings,
                ElementsAre(LoggingWay::local, LoggingWay::off, LoggingWay::tcp, LoggingWay::udp));
}

TEST(CalibrationPlan, TakesTheRepetitionsThatTheTimeAllows) {
    CalibrationArguments arguments;
    arguments.max_time = std::chrono::hours(3);
    EXPECT_EQ(choose_settings(arguments, false, 1).repetitions, 5U);
    arguments.max_time = std::chrono::minutes(15);
    const CalibrationSettings shorter = choose_settings(arguments, false, 1);
    EXPECT_LT(shorter.repetitions, 5U);
    EXPECT_LE(whole_time(shorter), std::chrono::minutes(15));
}

TEST(CalibrationPlan, ThinsTheRatesWhenNotEvenOneRepetitionFits) {
    CalibrationArguments arguments;
    arguments.max_time = std::chrono::minutes(3);
    const CalibrationSettings settings = choose_settings(arguments, false, 1);
    EXPECT_EQ(settings.repetitions, 1U);
    EXPECT_THAT(settings.rates_pps, Not(Contains(200)));
}

TEST(CalibrationPlan, LeavesAloneWhatTheUserAskedFor) {
    CalibrationArguments arguments;
    arguments.max_time = std::chrono::seconds(1);
    arguments.rates_pps = {500, 1000};
    arguments.repetitions = 4;
    arguments.point_time = std::chrono::seconds(2);
    arguments.seed = 9;
    const CalibrationSettings settings = choose_settings(arguments, false, 1);
    EXPECT_THAT(settings.rates_pps, ElementsAre(500, 1000));
    EXPECT_EQ(settings.repetitions, 4U);
    EXPECT_EQ(settings.point_time, std::chrono::seconds(2));
    EXPECT_EQ(settings.seed, 9U);
}

TEST(CalibrationPlan, OfAQuickOneLastsTwoMinutesAtMost) {
    CalibrationArguments arguments;
    arguments.quick = true;
    EXPECT_LE(whole_time(choose_settings(arguments, false, 1)), std::chrono::minutes(2));
}

TEST(CalibrationPlan, IsAStarAroundTheFirstOfEach) {
    EXPECT_THAT(series_of(small_settings()), ElementsAre(Series{GapFamily::constant, 64, LoggingWay::local},
                                                         Series{GapFamily::exponential, 64, LoggingWay::local},
                                                         Series{GapFamily::constant, 512, LoggingWay::local},
                                                         Series{GapFamily::constant, 64, LoggingWay::off}));
}

TEST(CalibrationPlan, MeasuresTheWholeSweepBeforeItsRepetition) {
    const std::vector<Point> points = sweep_points(small_settings());
    ASSERT_EQ(points.size(), 2U * 2U * 4U);
    EXPECT_TRUE(std::ranges::is_sorted(points, {}, &Point::repetition));
    EXPECT_EQ(points[0].rate_pps, points[3].rate_pps);
    EXPECT_LT(points[3].rate_pps, points[4].rate_pps);
    EXPECT_EQ(std::set<Point>(points.begin(), points.end()).size(), points.size());
}

TEST(CalibrationPlan, GivesLowRatesTimeForTheirPacketsButNotTooMuch) {
    const CalibrationSettings settings = small_settings();
    EXPECT_EQ(duration_at(settings, 1'000'000), std::chrono::seconds(1));
    EXPECT_EQ(duration_at(settings, 1000), std::chrono::seconds(2));
    EXPECT_EQ(duration_at(settings, 100), std::chrono::seconds(5));
}

TEST(CalibrationPlan, GivesARateOfNothingTheLongestTime) {
    EXPECT_EQ(duration_at(small_settings(), 0), 5 * small_settings().point_time);
}

TEST(CalibrationPlan, AsksForTheSameMeanWhateverTheDistribution) {
    for (const GapFamily family : usual_settings(false, 1).distributions) {
        const auto gap = mean(gaps_of(family, 2000));
        ASSERT_TRUE(gap) << to_string(family);
        EXPECT_NEAR(*gap, 500'000, 1e-6) << to_string(family);
    }
}

TEST(CalibrationPlan, HasFlowsThatCanBeSent) {
    Target to;
    to.host = "beta";
    for (const Point& point : sweep_points(usual_settings(false, 1))) {
        EXPECT_THAT(validate(flow_of(small_settings(), point, to)), IsEmpty());
    }
}

TEST(CalibrationPlan, SendsWithThePolicyForLatePacketsThatWasAskedFor) {
    CalibrationArguments arguments;
    arguments.lateness = LatenessPolicy::shift;
    const CalibrationSettings settings = choose_settings(arguments, false, 1);
    EXPECT_EQ(flow_of(settings, sweep_points(settings).front(), {}).lateness, LatenessPolicy::shift);
}

TEST(CalibrationPlan, RepeatsWithOtherRandomNumbers) {
    const CalibrationSettings settings = small_settings();
    Point point = sweep_points(settings).front();
    const Target to;
    EXPECT_EQ(flow_of(settings, point, to).seed, 7U);
    point.repetition = 2;
    EXPECT_EQ(flow_of(settings, point, to).seed, 8U);
}

Point at(double rate_pps, unsigned repetition = 1, std::uint32_t size = 64) {
    return {PointKind::sweep, {GapFamily::constant, size, LoggingWay::off}, rate_pps, repetition};
}

TEST(SeriesEnds, BehindTwoRatesInARowThatAreFarFromKept) {
    SeriesEnds ends;
    ends.add(at(100'000), 0.95);
    ends.add(at(200'000), 0.5);
    EXPECT_FALSE(ends.ended_before(at(500'000)));
    ends.add(at(500'000), 0.2);
    EXPECT_TRUE(ends.ended_before(at(1'000'000)));
    EXPECT_TRUE(ends.ended_before(at(1'000'000, 2)));
    EXPECT_FALSE(ends.ended_before(at(500'000, 2)));
    EXPECT_FALSE(ends.ended_before(at(1'000'000, 1, 512)));
}

TEST(SeriesEnds, NotBehindTwoThatAreNoNeighbours) {
    SeriesEnds ends;
    ends.add(at(1000), 0.5);
    ends.add(at(2000), 1);
    ends.add(at(5000), 0.5);
    EXPECT_FALSE(ends.ended_before(at(10'000)));
}

}  // namespace
}  // namespace groma
