#include "sender/calibration/rate_search.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

/// Lets a host that keeps rates up to `most` be searched. Returns: how many trials it took.
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

}  // namespace
}  // namespace groma
