#include "common/stats/fit/reservoir.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace groma {
namespace {

TEST(Sample, TheClockIsAsFineAsTheFinestTime) {
    std::vector<std::int64_t> times;
    for (std::int64_t i = 1; i <= 30; ++i) {
        times.push_back(i * 3000);
    }
    EXPECT_EQ(clock_resolution(times), 1000);
    times.push_back(1);
    EXPECT_EQ(clock_resolution(times), 1);
    EXPECT_EQ(clock_resolution(std::vector<std::int64_t>(1000, 1'000'000)), 1) << "a constant says nothing of a clock";
}

TEST(Reservoir, KeepsAllWhileThereIsRoom) {
    Reservoir reservoir(100);
    for (std::int64_t i = 0; i < 100; ++i) {
        reservoir.add(i);
    }
    std::vector<std::int64_t> kept = reservoir.values();
    std::ranges::sort(kept);
    EXPECT_EQ(kept.front(), 0);
    EXPECT_EQ(kept.back(), 99);
    EXPECT_EQ(kept.size(), 100U);
}

/// The number of kept values from each tenth of 100,000 values.
std::vector<double> tenths(const Reservoir& reservoir) {
    std::vector<double> counts(10);
    for (const std::int64_t value : reservoir.values()) {
        ++counts[static_cast<std::size_t>(value / 10'000)];
    }
    return counts;
}

TEST(Reservoir, EveryValueHasTheSameChanceAlsoWhenThereIsLessRoomLater) {
    Reservoir plain(5000);
    Reservoir narrowed(20'000);
    for (std::int64_t i = 0; i < 100'000; ++i) {
        plain.add(i);
        narrowed.add(i);
        if (i == 40'000) {
            narrowed.hold_to(5000);
        }
    }
    EXPECT_EQ(plain.seen(), 100'000U);
    for (const Reservoir* reservoir : {&plain, &narrowed}) {
        ASSERT_EQ(reservoir->values().size(), 5000U);
        for (const double count : tenths(*reservoir)) {
            EXPECT_NEAR(count, 500, 5 * std::sqrt(450.0));  // binomial
        }
    }
}

TEST(Reservoir, TheSameValuesGiveTheSameChoice) {
    Reservoir first(10);
    Reservoir second(10);
    for (std::int64_t i = 0; i < 1000; ++i) {
        first.add(i);
        second.add(i);
    }
    EXPECT_EQ(first.values(), second.values());
}

}  // namespace
}  // namespace groma
