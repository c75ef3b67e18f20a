#include "common/model/text/human.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace groma {
namespace {

TEST(Human, RatesTakeThePrefixThatFits) {
    EXPECT_EQ(human_rate(0), "0 pps");
    EXPECT_EQ(human_rate(250), "250 pps");
    EXPECT_EQ(human_rate(0.5), "0.5 pps");
    EXPECT_EQ(human_rate(12'500), "12.5 kpps");
    EXPECT_EQ(human_rate(1'488'095), "1.488 Mpps");
}

TEST(Human, ANumberThatRoundsUpToAThousandMovesToTheNextPrefix) {
    EXPECT_EQ(human_rate(999.9), "999.9 pps");
    EXPECT_EQ(human_rate(999.96), "1 kpps");
    EXPECT_EQ(human_bits(999'999'999), "1 Gbit/s");
}

TEST(Human, BitsAndBytesUseDecimalPrefixes) {
    EXPECT_EQ(human_bits(800), "800 bit/s");
    EXPECT_EQ(human_bits(4'096'000), "4.096 Mbit/s");
    EXPECT_EQ(human_bytes(512), "512 B");
    EXPECT_EQ(human_bytes(2'048'000), "2.048 MB");
}

TEST(Human, WhatIsNoNumberIsADash) {
    EXPECT_EQ(human_rate(std::numeric_limits<double>::quiet_NaN()), "-");
    EXPECT_EQ(human_bits(std::numeric_limits<double>::infinity()), "-");
}

TEST(Human, TimesReachFromNanosecondsToHours) {
    using namespace std::chrono_literals;
    EXPECT_EQ(human_time(0ns), "0 ns");
    EXPECT_EQ(human_time(30ns), "30 ns");
    EXPECT_EQ(human_time(1500ns), "1.5 us");
    EXPECT_EQ(human_time(-2us), "-2 us");
    EXPECT_EQ(human_time(12'250us), "12.25 ms");
    EXPECT_EQ(human_time(90s), "90 s");
    EXPECT_EQ(human_time(303s), "5 min 3 s");
    EXPECT_EQ(human_time(2h + 5min + 10s), "2 h 5 min");
    EXPECT_EQ(human_nanos(-1500.7), "-1.5 us");
    EXPECT_EQ(human_nanos(9e18), "2500000 h 0 min");
    for (const double none : {1e19, -1e19, std::nan(""), std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(human_nanos(none), "-");
    }
}

TEST(Human, SignificantDigitsNeitherGrowAnExponentNorTrailingZeros) {
    EXPECT_EQ(significant(0), "0");
    EXPECT_EQ(significant(0.00012346), "0.0001235");
    EXPECT_EQ(significant(3.334e-5, 3), "0.0000333");
    EXPECT_EQ(significant(-0.99999e-6, 3), "-0.000001");
    EXPECT_EQ(significant(2.5e-7, 3), "2.5e-07");
    EXPECT_EQ(significant(3.0), "3");
    EXPECT_EQ(significant(123456.0, 8), "123456");
    EXPECT_EQ(significant(123456.0), "123500");
}

}  // namespace
}  // namespace groma
