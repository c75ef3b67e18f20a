#include "plots/pictures/rate_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plots/gnuplot/quantity.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const CalibrationSeries kConst64{"const", 64, "none"};

CalibrationPoint point_of(const CalibrationSeries& series, double rate, const MedianRange& sent) {
    return {series, rate, {{"sent_pps", sent}}};
}

RateFigure sent_rate(Varied varied) {
    return {"sent-rate", "packets sent per second (all)", {"sent_pps"}, {}, varied, number_label, 0};
}

std::vector<std::string> names_in(const Picture& picture) {
    std::vector<std::string> names;
    names.reserve(picture.curves.size());
    for (const Curve& curve : picture.curves) {
        names.push_back(curve.name);
    }
    return names;
}

TEST(RatePicture, HasACurveOfEachSeriesThatDiffersOnlyInWhatIsVaried) {
    CalibrationResults results;
    for (const CalibrationSeries& series :
         {kConst64, CalibrationSeries{"const", 512, "none"}, CalibrationSeries{"exp", 64, "none"},
          CalibrationSeries{"exp", 512, "none"}, CalibrationSeries{"const", 64, "local"}}) {
        results.points.push_back(point_of(series, 1000, {1000, 1000, 1000}));
        results.points.push_back(point_of(series, 2000, {2000, 2000, 2000}));
    }
    const Picture sizes = draw_against_rate(results, sent_rate(Varied::size)).value();
    EXPECT_THAT(names_in(sizes), ElementsAre("64 bytes", "512 bytes"));
    EXPECT_EQ(sizes.curves[1].look, 1U);
    EXPECT_THAT(sizes.curves[1].pieces, ElementsAre(ElementsAre(PicturePoint{1000, 1000}, PicturePoint{2000, 2000})));
    EXPECT_EQ(sizes.y_label, "packets sent per second");
    EXPECT_THAT(names_in(draw_against_rate(results, sent_rate(Varied::logging)).value()),
                ElementsAre("logs: none", "logs: local"));
    EXPECT_THAT(names_in(draw_against_rate(results, sent_rate(Varied::distribution)).value()),
                ElementsAre("const", "exp"));
}

TEST(RatePicture, HasABarWhereRepetitionsDifferAndTheAxesHoldIt) {
    CalibrationResults results;
    results.points = {point_of(kConst64, 1000, {900, 500, 1000}), point_of(kConst64, 2000, {1900, 1900, 1900})};
    const Picture picture = draw_against_rate(results, sent_rate(Varied::size)).value();
    EXPECT_THAT(picture.curves.at(0).bars, ElementsAre(BandPoint{1000, 500, 1000}));
    EXPECT_LT(picture.y_range.low, 500);
    EXPECT_GT(picture.y_range.high, 1900);
    EXPECT_TRUE(picture.log_x and picture.log_y);
}

TEST(RatePicture, DrawsWhatIsBelowTheLeastValueOnTheEdge) {
    CalibrationResults results;
    results.points = {point_of(kConst64, 1000, {-0.5, -1, 3})};
    RateFigure figure = sent_rate(Varied::size);
    figure.least = 0.25;
    const Picture picture = draw_against_rate(results, figure).value();
    EXPECT_THAT(picture.curves.at(0).pieces, ElementsAre(ElementsAre(PicturePoint{1000, 0.25})));
    EXPECT_THAT(picture.curves.at(0).bars, ElementsAre(BandPoint{1000, 0.25, 3}));
}

TEST(RatePicture, OfSeveralColumnsTellsThemApartByTheirStroke) {
    CalibrationResults results;
    results.points = {{kConst64, 1000, {{"p50", {1, 1, 1}}, {"p99", {2, 2, 2}}}}};
    const RateFigure figure{"late", "lateness", {"p50", "p99"}, {"half", "99 %"}, Varied::size, number_label, 0};
    const Picture picture = draw_against_rate(results, figure).value();
    EXPECT_THAT(names_in(picture), ElementsAre("64 bytes: half", "64 bytes: 99 %"));
    EXPECT_EQ(picture.curves[0].stroke, Stroke::thin);
    EXPECT_EQ(picture.curves[1].stroke, Stroke::solid);
    EXPECT_EQ(picture.curves[0].look, picture.curves[1].look);
}

TEST(RatePicture, HasTheLineOfWhatWasAskedInBitsAsWell) {
    CalibrationResults results;
    results.points = {point_of(kConst64, 1000, {100'000, 100'000, 100'000}),
                      point_of(kConst64, 4000, {500'000, 500'000, 500'000})};
    RateFigure figure = sent_rate(Varied::size);
    figure.ideal = true;
    figure.per_bit = true;
    const Picture picture = draw_against_rate(results, figure).value();
    ASSERT_THAT(names_in(picture), ElementsAre("as asked", "64 bytes"));
    EXPECT_THAT(picture.curves[0].pieces,
                ElementsAre(ElementsAre(PicturePoint{512'000, 512'000}, PicturePoint{2'048'000, 2'048'000})));
    EXPECT_EQ(picture.curves[1].pieces[0].front(), (PicturePoint{512'000, 100'000}));
    EXPECT_GT(picture.y_range.high, 2'048'000);
}

TEST(RatePicture, LeavesOutPointsThatHaveNoPlaceOnTheAxis) {
    CalibrationResults results;
    results.points = {
        point_of(kConst64, 1000, {0, 0, 0}), point_of(kConst64, 2000, {1900, 0, 1900}), {kConst64, 3000, {}}};
    const Picture picture = draw_against_rate(results, sent_rate(Varied::size)).value();
    EXPECT_THAT(picture.curves.at(0).pieces, ElementsAre(ElementsAre(PicturePoint{2000, 1900})));
    EXPECT_THAT(picture.curves.at(0).bars, IsEmpty());
    results.points.erase(results.points.begin(), results.points.begin() + 2);
    EXPECT_FALSE(draw_against_rate(results, sent_rate(Varied::size)));
}

TEST(RatePicture, IsNoneWhereNothingHasAPlaceOnTheAxis) {
    CalibrationResults results;
    results.points = {point_of(kConst64, 1000, {0, 0, 0})};
    RateFigure figure = sent_rate(Varied::size);
    EXPECT_FALSE(draw_against_rate(results, figure));
    figure.ideal = true;
    EXPECT_FALSE(draw_against_rate(results, figure));
    figure.per_bit = true;
    results.points = {point_of({"const", 0, "none"}, 1000, {5, 5, 5})};
    EXPECT_FALSE(draw_against_rate(results, figure));
}

}  // namespace
}  // namespace groma
