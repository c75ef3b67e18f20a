#include "sender/calibration/rate_search.hpp"

#include <gtest/gtest.h>

#include "tests/sender/calibration/sample_calibration.hpp"

namespace groma {
namespace {

/// Searches a host that keeps rates up to `most`. Returns: the number of trials.
int run(RateSearch& search, double most) {
    int trials = 0;
    while (const auto rate = search.next()) {
        search.tried(*rate <= most);
        if (++trials > 1000) {
            ADD_FAILURE() << "it does not end";
            break;
        }
    }
    return trials;
}

TEST(RateSearch, FindsTheHighestRateToItsResolution) {
    RateSearch search(1.02, 10, 2e7);
    search.know(100'000, true);
    search.know(200'000, true);
    search.know(500'000, false);
    EXPECT_LE(run(search, 333'333), 16);
    EXPECT_LE(*search.highest_kept(), 333'333);
    EXPECT_GT(*search.lowest_not_kept(), 333'333);
    EXPECT_LE(*search.lowest_not_kept(), 1.02 * *search.highest_kept());
}

TEST(RateSearch, GoesUpWhileEverythingIsKept) {
    RateSearch search(1.1, 10, 2e7);
    search.know(1000, true);
    run(search, 1e12);
    EXPECT_EQ(search.highest_kept(), 2e7);
    EXPECT_FALSE(search.lowest_not_kept());
}

TEST(RateSearch, GoesDownWhileNothingIsKept) {
    RateSearch search(1.1, 10, 2e7);
    search.know(1000, false);
    run(search, 0);
    EXPECT_FALSE(search.highest_kept());
    EXPECT_EQ(search.lowest_not_kept(), 10);
}

TEST(RateSearch, EndsAtLowRatesToo) {
    RateSearch search(1.001, 1, 100);
    search.know(10, true);
    search.know(11, false);
    run(search, 10.5);
    EXPECT_NEAR(*search.highest_kept(), 10.5, 0.02);
}

TEST(RateSearch, BelievesAFailureOnlyTheSecondTime) {
    RateSearch search(1.5, 10, 2e7);
    search.know(1000, true);
    search.know(4000, false);
    const double rate = search.next().value();
    EXPECT_EQ(rate, 2000);
    EXPECT_EQ(search.attempt(), 1U);
    search.tried(false);
    EXPECT_EQ(search.next(), rate);
    EXPECT_EQ(search.attempt(), 2U);
    search.tried(true);
    EXPECT_EQ(search.highest_kept(), rate);
    EXPECT_EQ(search.attempt(), 1U);
}

TEST(RateSearch, LetsARateThatIsKeptOutweighALowerOneThatWasNot) {
    RateSearch search(1.1, 10, 2e7);
    search.know(100, true);
    search.know(1000, false);
    search.know(10'000, true);
    search.know(100'000, false);
    EXPECT_EQ(search.highest_kept(), 10'000);
    EXPECT_EQ(search.lowest_not_kept(), 100'000);
}

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
