#include "plots/pictures/scale_pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace groma {
namespace {

using testing::ElementsAre;

FittedTraffic traffic_called(const std::string& name) {
    FittedTraffic traffic;
    traffic.name = name;
    return traffic;
}

std::vector<std::string> keys_of(const std::optional<Picture>& picture) {
    std::vector<std::string> names;
    names.reserve(picture.value().curves.size());
    for (const Curve& curve : picture.value().curves) {
        names.push_back(curve.name);
    }
    return names;
}

TEST(ScalePictures, OfTrafficWithoutScalesAreNone) {
    const std::vector<FittedTraffic> all = {traffic_called("a")};
    EXPECT_FALSE(draw_dispersion(all));
    EXPECT_FALSE(draw_variance_time(all));
    EXPECT_FALSE(draw_logscale(all));
}

TEST(ScalePictures, HaveThePoissonLineOverAllScalesOfTheDispersion) {
    std::vector<FittedTraffic> all = {traffic_called("a"), traffic_called("none"), traffic_called("b")};
    all[0].dispersion = {{0.1, 50, {}, {}}, {1, 60, {}, {}}};
    all[2].dispersion = {{10, 40, {}, {}}};
    const Picture picture = draw_dispersion(all).value();
    ASSERT_THAT(keys_of(picture), ElementsAre("a", "b", "Poisson"));
    EXPECT_EQ(picture.curves[1].look, 2U);  // the same traffic looks alike in all pictures
    EXPECT_THAT(picture.curves[2].pieces,
                ElementsAre(ElementsAre(PicturePoint{0.1 / 1.2, 1}, PicturePoint{10 * 1.2, 1})));
    EXPECT_LT(picture.y_range.low, 1);
}

/// Variances at a tenth, one and ten seconds, with an estimate of H from these scales.
FittedTraffic with_variances(double from_s, double to_s) {
    FittedTraffic traffic = traffic_called("a");
    traffic.variance_time = {{0.1, 1000, {}, {}}, {1, 100, {}, {}}, {10, 1, {}, {}}};
    traffic.hurst["variance-time"] = {.value = 0.5, .from_s = from_s, .to_s = to_s};
    return traffic;
}

TEST(ScalePictures, HaveALineThroughTheMiddleOfTheScalesOfTheEstimateOnly) {
    const std::vector<FittedTraffic> all = {with_variances(0.1, 1)};
    const Picture picture = draw_variance_time(all).value();
    ASSERT_THAT(keys_of(picture), ElementsAre("slope -1.00", "a, H 0.50"));
    const std::vector<PicturePoint>& line = picture.curves[0].pieces.front();
    EXPECT_NEAR(line.front().x, 0.1, 1e-12);
    EXPECT_NEAR(line.front().y, 1000, 1e-9);
    EXPECT_NEAR(line.back().x, 1, 1e-12);
    EXPECT_NEAR(line.back().y, 100, 1e-9);
}

TEST(ScalePictures, HaveNoLineThroughASinglePointOrOfNoScales) {
    for (const auto& [from, to] : {std::pair(0.5, 2.0), std::pair(0.0, 10.0)}) {
        const std::vector<FittedTraffic> all = {with_variances(from, to)};
        EXPECT_THAT(keys_of(draw_variance_time(all)), ElementsAre("a, H 0.50"));
    }
}

TEST(ScalePictures, HaveTheBarsOfOctavesThatHaveAnInterval) {
    std::vector<FittedTraffic> all = {traffic_called("a")};
    all[0].wavelet = {{1, 5, 4, 7}, {2, 6, {}, {}}, {3, 7, 7, 7}, {4, 8, 7.5, 9}};
    all[0].octave_scales = {{1, 0.1}, {2, 0.2}, {3, 0.4}, {4, 0.8}};
    all[0].hurst["wavelet"] = {.value = 1, .from_s = 0.2, .to_s = 0.4};
    const Picture picture = draw_logscale(all).value();
    ASSERT_THAT(keys_of(picture), ElementsAre("slope 1.00", "a, H 1.00"));
    EXPECT_THAT(picture.curves[0].pieces, ElementsAre(ElementsAre(PicturePoint{2, 6}, PicturePoint{3, 7})));
    EXPECT_THAT(picture.curves[1].bars, ElementsAre(BandPoint{1, 4, 7}, BandPoint{4, 7.5, 9}));
    EXPECT_LT(picture.y_range.low, 4);
    EXPECT_GT(picture.y_range.high, 9);
}

}  // namespace
}  // namespace groma
