#include "sender/report/clock_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace groma {
namespace {

using namespace std::chrono_literals;

class ClockReportTest : public testing::Test {
protected:
    /// A receiver's clock that is ahead by 1 ms when the first probe is sent, and gains 10 us in each second. Nothing
    /// takes any time on the way.
    static std::vector<ClockProbe> probes(std::int64_t seconds) {
        std::vector<ClockProbe> all;
        for (std::int64_t i = 0; i <= seconds; ++i) {
            const WallTime here = kBegin + i * 1s;
            const WallTime there = here + 1ms + i * 10us;
            all.push_back({here, there, there, here, "beta", "boot"});
        }
        return all;
    }

    static constexpr WallTime kBegin = wall_time_from_ns(1'700'000'000'000'000'000);
};

TEST_F(ClockReportTest, TheOffsetIsThatOfTheBeginOfTheRun) {
    const auto report = offset_report(probes(10), kBegin + 5s, kBegin + 10s);
    ASSERT_TRUE(report);
    EXPECT_NEAR(static_cast<double>(report->offset.count()), 1'050'000, 10);
    EXPECT_NEAR(report->skew_ppm, 10, 0.01);
    EXPECT_EQ(report->probes, 11U);
}

TEST_F(ClockReportTest, TheBoundIsTheLargestOfTheRunAndGrowsBeyondTheProbes) {
    std::vector<ClockProbe> some = probes(10);
    for (ClockProbe& probe : some) {
        probe.returned += 100us;
    }
    const auto within = offset_report(some, kBegin, kBegin + 10s);
    const auto beyond = offset_report(some, kBegin, kBegin + 100s);
    const auto backwards = offset_report(some, kBegin, kBegin - 1s);
    ASSERT_TRUE(within and beyond and backwards);
    EXPECT_GE(within->bound, 50us);
    EXPECT_GT(beyond->bound, within->bound);
    EXPECT_EQ(backwards->bound, within->bound) << "a clock that was set back ends no run before it begins";
}

TEST_F(ClockReportTest, WithoutAUsableProbeThereIsNothingToSay) {
    EXPECT_FALSE(offset_report({}, kBegin, kBegin + 1s));
    const std::vector<ClockProbe> odd{{kBegin, kBegin, kBegin, kBegin - 1s, "beta", "boot"}};
    EXPECT_FALSE(offset_report(odd, kBegin, kBegin + 1s));
}

TEST_F(ClockReportTest, SaysWhichClockIsFasterAndEveryStep) {
    OffsetReport report{.offset = 2ms, .bound = 30us, .skew_ppm = 12.06, .skew_error_ppm = 0.41, .probes = 60};
    EXPECT_EQ(describe(report), "clock differs by 2 ms, at most 30 us off, runs 12.1 +- 0.4 ppm faster");
    report.skew_ppm = -12.06;
    report.steps = {{.at = kBegin, .within = 1s, .size = -5ms, .error = 40us}};
    EXPECT_EQ(describe(report),
              "clock differs by 2 ms, at most 30 us off, runs 12.1 +- 0.4 ppm slower; a step of -5 ms (+- 40 us)");
}

TEST_F(ClockReportTest, AsJsonAllTimesAreWholeNanoseconds) {
    const OffsetReport report{.offset = 2ms,
                              .bound = 30us,
                              .skew_ppm = 0.5,
                              .skew_error_ppm = 0.25,
                              .steps = {{.at = kBegin, .within = 1s, .size = -5ms, .error = 40us}},
                              .probes = 60};
    EXPECT_EQ(to_json(report), nlohmann::json::parse(R"({"offset_ns": 2000000, "bound_ns": 30000, "skew_ppm": 0.5,
        "skew_error_ppm": 0.25, "probes": 60, "steps": [{"at_ns": 1700000000000000000, "within_ns": 1000000000,
        "size_ns": -5000000, "error_ns": 40000}]})"));
    EXPECT_EQ(to_json(OwnStep{.at = kBegin, .size = -5ms}),
              nlohmann::json::parse(R"({"at_ns": 1700000000000000000, "size_ns": -5000000})"));
}

}  // namespace
}  // namespace groma
