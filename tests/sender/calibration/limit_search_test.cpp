#include "sender/calibration/limit_search.hpp"

#include <gtest/gtest.h>

#include "tests/sender/calibration/sample_calibration.hpp"

namespace groma {
namespace {

/// A host whose sweep is done.
class SearchLimit : public testing::Test {
protected:
    void sweep(double rate_pps, double most_pps, unsigned repetition = 1) {
        swept_.push_back(measured({PointKind::sweep, search_.series, rate_pps, repetition}, most_pps));
    }
    /// The result for a host that keeps rates up to `most_pps`.
    std::optional<Limit> found(double most_pps) {
        return search_limit(settings_, search_, swept_, [&](const Point& point) {
            tried_.push_back(point);
            return std::optional(measured(point, most_pps).figures);
        });
    }

    const CalibrationSettings settings_ = small_settings();
    const Search search_ = searches(settings_).front();
    std::vector<PointResult> swept_;
    std::vector<Point> tried_;
};

TEST_F(SearchLimit, LiesWhereTheSweepLeftItOpen) {
    sweep(1000, 1e9);
    sweep(2000, 1500);
    const std::optional<Limit> limit = found(1500);
    ASSERT_TRUE(limit and limit->kept_pps and limit->not_kept_pps);
    EXPECT_LE(*limit->kept_pps, 1500);
    EXPECT_GT(*limit->not_kept_pps, 1500);
    EXPECT_LE(*limit->not_kept_pps, search_resolution(settings_) * *limit->kept_pps);
    ASSERT_FALSE(tried_.empty());
    for (const Point& point : tried_) {
        EXPECT_EQ(point.kind, PointKind::search);
        EXPECT_EQ(point.series, search_.series);
        EXPECT_GT(point.rate_pps, 1000);
        EXPECT_LT(point.rate_pps, 2000);
    }
}

TEST_F(SearchLimit, OfAHostThatKeptEveryRateNeedsNoMorePoints) {
    sweep(1000, 1e9);
    sweep(2000, 1e9);
    EXPECT_EQ(found(1e9), (Limit{search_, 2000, std::nullopt}));
    EXPECT_TRUE(tried_.empty());
}

TEST_F(SearchLimit, IsBelowARateOfWhichOneRepetitionWasCutShort) {
    sweep(1000, 1e9);
    for (unsigned repetition = 1; repetition <= 3; ++repetition) {
        sweep(2000, 1e9, repetition);
    }
    swept_.back().figures["cut_short"] = 1;
    EXPECT_EQ(found(0).value().kept_pps, 1000);
    EXPECT_FALSE(tried_.empty());
}

TEST_F(SearchLimit, TakesNothingFromOtherSeries) {
    sweep(1000, 1e9);
    sweep(2000, 1e9);
    for (PointResult& result : swept_) {
        result.point.series.size_bytes = settings_.sizes_bytes.back();
    }
    EXPECT_EQ(found(0), (Limit{search_, std::nullopt, 1000}));
    ASSERT_EQ(tried_.size(), 2U);
    EXPECT_EQ(tried_[0].repetition, 1U);
    EXPECT_EQ(tried_[1].repetition, 2U);
}

TEST_F(SearchLimit, IsNotFoundWhenTheCalibrationIsToStop) {
    int asked = 0;
    EXPECT_FALSE(search_limit(settings_, search_, swept_, [&](const Point& /*point*/) {
        ++asked;
        return std::optional<PointFigures>();
    }));
    EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace groma
