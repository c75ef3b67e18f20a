#include "sender/search/rate_search.hpp"

#include <gtest/gtest.h>

#include <random>

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
    RateSearch search(1.02, {10, 2e7, 10});
    search.know(100'000, true);
    search.know(200'000, true);
    search.know(500'000, false);
    EXPECT_LE(run(search, 333'333), 16);
    EXPECT_LE(*search.highest_kept(), 333'333);
    EXPECT_GT(*search.lowest_not_kept(), 333'333);
    EXPECT_LE(*search.lowest_not_kept(), 1.02 * *search.highest_kept());
}

TEST(RateSearch, GoesUpWhileEverythingIsKept) {
    RateSearch search(1.1, {10, 2e7, 10});
    search.know(1000, true);
    run(search, 1e12);
    EXPECT_EQ(search.highest_kept(), 2e7);
    EXPECT_FALSE(search.lowest_not_kept());
}

TEST(RateSearch, GoesDownWhileNothingIsKept) {
    RateSearch search(1.1, {10, 2e7, 10});
    search.know(1000, false);
    run(search, 0);
    EXPECT_FALSE(search.highest_kept());
    EXPECT_EQ(search.lowest_not_kept(), 10);
}

TEST(RateSearch, EndsAtLowRatesToo) {
    RateSearch search(1.001, {1, 100, 1});
    search.know(10, true);
    search.know(11, false);
    run(search, 10.5);
    EXPECT_NEAR(*search.highest_kept(), 10.5, 0.02);
}

TEST(RateSearch, BelievesAFailureOnlyTheSecondTime) {
    RateSearch search(1.5, {10, 2e7, 10});
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
    RateSearch search(1.1, {10, 2e7, 10});
    search.know(100, true);
    search.know(1000, false);
    search.know(10'000, true);
    search.know(100'000, false);
    EXPECT_EQ(search.highest_kept(), 10'000);
    EXPECT_EQ(search.lowest_not_kept(), 100'000);
}

TEST(RateSearch, BeginsWhereItIsToldTo) {
    RateSearch search(1.1, {1, 100, 20});
    EXPECT_EQ(search.next(), 20);
    search.tried(true);
    EXPECT_EQ(search.next(), 40);
}

TEST(RateSearch, ConfirmsWhatItHasFound) {
    RateSearch search(1.1, {10, 100, 100}, 2);
    search.tried(true);
    for (int confirmation = 0; confirmation < 2; ++confirmation) {
        EXPECT_EQ(search.next(), 100);
        EXPECT_TRUE(search.confirms());
        search.tried(false);  // once is not enough
        EXPECT_EQ(search.attempt(), 2U);
        search.tried(true);
    }
    EXPECT_FALSE(search.next());
    EXPECT_FALSE(search.confirms());
    EXPECT_EQ(search.highest_kept(), 100);
}

TEST(RateSearch, GoesOnBelowARateThatIsNotConfirmed) {
    RateSearch search(1.5, {10, 100, 25}, 1);
    search.tried(true);
    search.tried(true);
    search.tried(true);
    EXPECT_TRUE(search.confirms());
    search.tried(false);
    search.tried(false);
    EXPECT_EQ(search.lowest_not_kept(), 100);
    EXPECT_EQ(search.highest_kept(), 50);
    EXPECT_EQ(search.next(), 71);
    EXPECT_FALSE(search.confirms());
}

TEST(RateSearch, FindsTheCapacityThroughDisturbances) {
    for (unsigned seed = 1; seed <= 500; ++seed) {
        std::mt19937 draws(seed);
        const double capacity = 10 + std::uniform_real_distribution<>(0, 90'000)(draws);
        std::bernoulli_distribution disturbed(0.1);
        RateSearch search(1.01, {1, 1e6, 1000}, 2);
        int trials = 0;
        bool before = false;  // no two in a row
        while (const auto rate = search.next()) {
            before = not before and disturbed(draws);
            search.tried(*rate <= capacity and not before);
            ASSERT_LT(++trials, 200) << seed;
        }
        ASSERT_TRUE(search.highest_kept() and search.lowest_not_kept()) << seed;
        EXPECT_LE(*search.highest_kept(), capacity) << seed;
        EXPECT_GT(*search.lowest_not_kept(), capacity) << seed;
        EXPECT_LE(*search.lowest_not_kept(), 1.01 * *search.highest_kept()) << seed;
    }
}

TEST(RateSearch, EndsWhateverTheTrialsSay) {
    for (unsigned seed = 1; seed <= 300; ++seed) {
        std::mt19937 draws(seed);
        std::bernoulli_distribution kept(0.1 + 0.8 * (seed % 10) / 10.0);
        RateSearch search(1.01, {1, 1e6, 1000}, 3);
        int trials = 0;
        while (search.next()) {
            search.tried(kept(draws));
            ASSERT_LT(++trials, 20'000) << seed;
        }
    }
}

}  // namespace
}  // namespace groma
