#include "plots/pictures/pattern_pictures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "plots/results/comparison.hpp"
#include "plots/results/stored_results.hpp"
#include "tests/plots/sample_results.hpp"

namespace groma {
namespace {

/// Before a step. Not a number where there is no such point.
double share_at(const Curve& curve, double x) {
    for (const PicturePoint& point : curve.pieces.front()) {
        if (point.x == x) {
            return point.y;
        }
    }
    return std::nan("");
}

RunResults read(const SampleResults& sample) {
    return read_results(sample.file()).front();
}

TEST(LossPeriods, StandAgainstTheModelThatWasFitted) {
    SampleResults sample;
    sample.add_flow(1, "voip", 1);
    sample.add_patterns(1);
    const Picture picture = draw_loss_periods(read(sample)).value();
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[0].name, "voip, Gilbert, r 0.5");
    EXPECT_EQ(picture.curves[0].stroke, Stroke::wide);
    EXPECT_NEAR(share_at(picture.curves[0], 3), 0.25, 1e-12);  // (1 - 1/2)^2
    // Of 6 periods 3 have one packet, and one each 2, 3 and 4.
    EXPECT_EQ(picture.curves[1].name, "voip, measured");
    EXPECT_EQ(share_at(picture.curves[1], 1), 1);
    EXPECT_NEAR(share_at(picture.curves[1], 2), 3 / 6.0, 1e-12);
    EXPECT_NEAR(share_at(picture.curves[1], 4), 1 / 6.0, 1e-12);
    EXPECT_TRUE(picture.log_y);
    EXPECT_FALSE(picture.log_x);
}

TEST(LossPeriods, OfLengthsThatDoNotOccurHaveTheShareOfTheNextLonger) {
    RunResults run;
    run.flows.emplace_back().histograms["loss_period"] = {{1, 1, 6}, {4, 4, 3}, {8, 9, 1}};
    const Picture picture = draw_loss_periods(run).value();
    EXPECT_EQ(picture.curves.at(0).pieces.front(),
              (std::vector<PicturePoint>{{1, 1}, {1, 0.4}, {4, 0.4}, {4, 0.1}, {8, 0.1}}));
}

TEST(Reordering, OfFewPacketsFillsThePicture) {
    RunResults run;
    FlowResults& flow = run.flows.emplace_back();
    flow.histograms["reordering_extent"] = {{1, 1, 2}};
    flow.n_reordered = {{1, 2}, {2, 1}};
    flow.arrived = 100'000;
    const Picture picture = draw_n_reordering(run).value();
    EXPECT_NEAR(picture.y_range.high, 2.4e-5, 1e-9);
    EXPECT_LT(picture.y_range.low, 1e-5);
}

TEST(LossFreeRuns, AreOneShorterThanDistancesBeyondOne) {
    SampleResults sample;
    sample.add_flow(1, "voip", 1);
    sample.add_patterns(1);
    const Picture picture = draw_loss_free_runs(read(sample)).value();
    const Curve& measured = picture.curves.at(1);
    ASSERT_EQ(measured.pieces.front().size(), 3U);  // distances of 1 are not runs
    EXPECT_EQ(share_at(measured, 99), 1);
    EXPECT_NEAR(share_at(measured, 199), 3 / 5.0, 1e-12);
    EXPECT_NEAR(share_at(picture.curves[0], 199), std::pow(1 - 6.0 / 988, 198), 1e-9);
    EXPECT_TRUE(picture.log_x);
}

TEST(Reordering, HasTailOfTheExtentsAndSharesOfThePacketsThatArrived) {
    SampleResults sample;
    sample.add_flow(1, "voip", 1);
    sample.add_patterns(1);
    const Picture extents = draw_reordering_extents(read(sample)).value();
    ASSERT_EQ(extents.curves.size(), 1U);
    EXPECT_NEAR(share_at(extents.curves[0], 4), 3 / 8.0, 1e-12);
    const Picture n = draw_n_reordering(read(sample)).value();
    ASSERT_EQ(n.curves.size(), 1U);
    EXPECT_NEAR(share_at(n.curves[0], 1), 8 / 988.0, 1e-12);
    EXPECT_NEAR(share_at(n.curves[0], 3), 2 / 988.0, 1e-12);
}

TEST(Patterns, OfManyFlowsAreThoseOfAllTogether) {
    SampleResults sample;
    for (int i = 1; i <= 6; ++i) {
        sample.add_flow(i, "flow " + std::to_string(i), 1);
        sample.add_patterns(i);
    }
    const Picture picture = draw_loss_periods(read(sample)).value();
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[1].name, "6 flows together, measured");
    EXPECT_NEAR(share_at(picture.curves[1], 2), 0.5, 1e-12);
    const Picture n = draw_n_reordering(read(sample)).value();
    EXPECT_NEAR(share_at(n.curves[0], 3), 2 / 988.0, 1e-12);
}

TEST(Patterns, OfRunsThatAreComparedAreThoseOfEachRun) {
    SampleResults sample;
    for (int i = 1; i <= 2; ++i) {
        sample.add_flow(i, "flow " + std::to_string(i), 1);
        sample.add_patterns(i);
    }
    RunResults other = read(sample);
    other.experiment = "other";
    const Picture picture = draw_reordering_extents(compared({{"a", {read(sample)}}, {"b", {other}}})).value();
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[0].name, "sample");
    EXPECT_NEAR(share_at(picture.curves[0], 4), 3 / 8.0, 1e-12);
}

TEST(Patterns, ThatAreNotKnownAreNotDrawn) {
    SampleResults sample;
    sample.add_flow(1, "voip", 1);
    const RunResults run = read(sample);
    for (const auto& draw : {draw_loss_periods, draw_loss_free_runs, draw_reordering_extents, draw_n_reordering}) {
        EXPECT_FALSE(draw(run));
    }
    sample.add_patterns(1);
    sample.exec("UPDATE loss_patterns SET unknown_because = 'no numbers'");
    EXPECT_EQ(draw_loss_periods(read(sample))->curves.size(), 1U);  // no model
}

TEST(Patterns, OfNonsenseInTheFileAreDrawnOrNotButNeverEndTheProgram) {
    SampleResults sample;
    sample.add_flow(1, "voip", 1);
    sample.add_patterns(1);
    sample.exec(
        "UPDATE loss_patterns SET good_to_bad = -5, bad_to_good = 9e300; UPDATE reordering SET ratio = 1e-300;"
        "UPDATE n_reordering SET n = 9e99 WHERE n = 3; UPDATE histograms SET high = 9e18, low = 8e18 WHERE kind = "
        "'loss_distance' AND low = 200");
    const RunResults run = read(sample);
    for (const auto& draw : {draw_loss_periods, draw_loss_free_runs, draw_reordering_extents, draw_n_reordering}) {
        const auto picture = draw(run);
        for (std::size_t i = 0; picture and i < picture->curves.size(); ++i) {
            for (const PicturePoint& point : picture->curves[i].pieces.front()) {
                EXPECT_TRUE(std::isfinite(point.x) and std::isfinite(point.y));
                EXPECT_LE(point.y, 1);
            }
        }
    }
}

/// The model's own periods, drawn at random, lie on the model's curve.
TEST(LossPeriods, OfAGilbertChannelLieOnItsCurve) {
    std::mt19937_64 random(5);
    std::geometric_distribution<int> beyond_one(0.25);
    std::map<int, int> lengths;
    for (int i = 0; i < 100'000; ++i) {
        ++lengths[1 + beyond_one(random)];
    }
    RunResults run;
    FlowResults& flow = run.flows.emplace_back();
    flow.losses = LossTransitions{0, 0, 4, 1};
    for (const auto& [length, count] : lengths) {
        flow.histograms["loss_period"].push_back(
            {static_cast<double>(length), static_cast<double>(length), static_cast<double>(count)});
    }
    const Picture picture = draw_loss_periods(run).value();
    for (const PicturePoint& model : picture.curves[0].pieces.front()) {
        const double measured = share_at(picture.curves[1], model.x);
        if (model.y > 0.001) {
            EXPECT_NEAR(measured / model.y, 1, 0.3) << model.x;
        }
    }
}

}  // namespace
}  // namespace groma
