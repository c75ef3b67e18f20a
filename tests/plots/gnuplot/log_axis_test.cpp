#include "plots/gnuplot/log_axis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace groma {
namespace {

using testing::ElementsAre;

std::vector<double> places(double low, double high) {
    std::vector<double> places;
    for (const AxisTick& tick : logarithmic_ticks({low, high}, [](double) { return std::string("x"); })) {
        places.push_back(tick.at);
    }
    return places;
}

TEST(LogAxis, HasOneTwoAndFiveOfEachDecadeOrDecadesOnlyOfALongRange) {
    EXPECT_THAT(places(2, 50), ElementsAre(2, 5, 10, 20, 50));
    EXPECT_THAT(places(0.5, 5000), ElementsAre(1, 10, 100, 1000));
}

TEST(LogAxis, EndsHoweverTheRangeIs) {
    constexpr double kEndless = std::numeric_limits<double>::infinity();
    EXPECT_THAT(places(0, 1), ElementsAre());
    EXPECT_EQ(places(1, kEndless).size(), 309U);  // 10^0 to 10^308
    EXPECT_THAT(places(0, kEndless), ElementsAre());
    EXPECT_NEAR(static_cast<double>(places(1e-300, 1e300).size()), 601, 1);  // so far out, products of 10 are rounded
}

TEST(WholeTicks, HaveNoFractions) {
    using Ticks = std::vector<AxisTick>;
    EXPECT_EQ(whole_ticks({0, 1.05}), (Ticks{{0, "0"}, {1, "1"}}));
    EXPECT_EQ(whole_ticks({-0.05, 3.15}), (Ticks{{0, "0"}, {1, "1"}, {2, "2"}, {3, "3"}}));
    EXPECT_EQ(whole_ticks({0.5, 13.5}).front(), (AxisTick{2, "2"}));
    EXPECT_TRUE(whole_ticks({0, 105}).empty());
    EXPECT_TRUE(whole_ticks({0, 1e300}).empty());
}

}  // namespace
}  // namespace groma
