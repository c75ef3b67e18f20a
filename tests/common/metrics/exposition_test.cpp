#include "common/metrics/exposition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Machine {
    std::uint64_t cups = 0;
    std::uint64_t bytes = 0;
    double temperature = 0;
    std::string_view name{};
    TimeHistogram times{};
};

constexpr auto kMachineRows = std::to_array<MetricRow<Machine>>({
    {{"groma_test_bytes", MetricType::counter, "bytes", "Bytes so far."},
     [](const Machine& machine, MetricSamples& samples) { samples.add(machine.bytes); }},
    {{"groma_test_cups", MetricType::counter, "", "Cups by \"size\", or C:\\.\nAll of them.", {"size"}},
     [](const Machine& machine, MetricSamples& samples) {
         samples.add(machine.cups, {"small"});
         samples.add(std::uint64_t{0}, {"large"});
     }},
    {{"groma_test_heat", MetricType::gauge, "", "Degrees."},
     [](const Machine& machine, MetricSamples& samples) { samples.add(machine.temperature); }},
    {{"groma_test_machine", MetricType::info, "", "Which one.", {"name", "place"}},
     [](const Machine& machine, MetricSamples& samples) {
         samples.add(std::uint64_t{1}, {machine.name, "here"});
     }},
    {{"groma_test_time_seconds", MetricType::histogram, "seconds", "Of a cup."},
     [](const Machine& machine, MetricSamples& samples) { samples.add(machine.times); }},
});

std::string exposed(const Machine& machine, ExpositionFormat format) {
    Exposition exposition(format);
    exposition.add(std::span<const MetricRow<Machine>>(kMachineRows), machine);
    return exposition.take();
}

TEST(Exposition, WritesOpenMetrics) {
    const std::string text = exposed({.cups = 7, .bytes = 4'000'000'000'000, .temperature = 91.5, .name = "a"},
                                     ExpositionFormat::open_metrics);
    EXPECT_THAT(text, StartsWith("# TYPE groma_test_bytes counter\n"
                                 "# UNIT groma_test_bytes bytes\n"
                                 "# HELP groma_test_bytes Bytes so far.\n"
                                 "groma_test_bytes_total 4000000000000\n"
                                 "# TYPE groma_test_cups counter\n"
                                 "# HELP groma_test_cups Cups by \\\"size\\\", or C:\\\\.\\nAll of them.\n"
                                 "groma_test_cups_total{size=\"small\"} 7\n"
                                 "groma_test_cups_total{size=\"large\"} 0\n"
                                 "# TYPE groma_test_heat gauge\n"
                                 "# HELP groma_test_heat Degrees.\n"
                                 "groma_test_heat 91.5\n"
                                 "# TYPE groma_test_machine info\n"
                                 "# HELP groma_test_machine Which one.\n"
                                 "groma_test_machine_info{name=\"a\",place=\"here\"} 1\n"
                                 "# TYPE groma_test_time_seconds histogram\n"
                                 "# UNIT groma_test_time_seconds seconds\n"));
    EXPECT_TRUE(text.ends_with("groma_test_time_seconds_count 0\n# EOF\n"));
}

TEST(Exposition, WritesTheClassicFormat) {
    const std::string text =
        exposed({.cups = 7, .bytes = 4, .temperature = 91.5, .name = "a"}, ExpositionFormat::classic);
    EXPECT_THAT(text, StartsWith("# TYPE groma_test_bytes_total counter\n"
                                 "# HELP groma_test_bytes_total Bytes so far.\n"
                                 "groma_test_bytes_total 4\n"
                                 "# TYPE groma_test_cups_total counter\n"
                                 "# HELP groma_test_cups_total Cups by \"size\", or C:\\\\.\\nAll of them.\n"));
    EXPECT_THAT(text, HasSubstr("# TYPE groma_test_machine_info gauge\n"));
    EXPECT_THAT(text, Not(HasSubstr("# UNIT")));
    EXPECT_THAT(text, Not(HasSubstr("# EOF")));
}

TEST(Exposition, BucketsAreCumulativeAndTheLastHasAll) {
    LogHistogram values;
    values.add(1'500, 2);
    values.add(1'500'000'000);
    values.add(70'000'000'000, 4);
    Machine machine;
    machine.times.add(values);
    const std::string text = exposed(machine, ExpositionFormat::open_metrics);
    EXPECT_THAT(text, HasSubstr("_seconds_bucket{le=\"1e-06\"} 0\n"
                                "groma_test_time_seconds_bucket{le=\"2e-06\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("_seconds_bucket{le=\"0.0001\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("_seconds_bucket{le=\"1.0\"} 2\n"
                                "groma_test_time_seconds_bucket{le=\"2.0\"} 3\n"
                                "groma_test_time_seconds_bucket{le=\"5.0\"} 3\n"
                                "groma_test_time_seconds_bucket{le=\"10.0\"} 3\n"
                                "groma_test_time_seconds_bucket{le=\"+Inf\"} 7\n"
                                "groma_test_time_seconds_sum 28"));
    EXPECT_THAT(text, HasSubstr("\ngroma_test_time_seconds_count 7\n"));
}

TEST(Exposition, EscapesValuesOfLabels) {
    const std::string text = exposed({.name = "a\"b\\c\nd{e}=,µ"}, ExpositionFormat::open_metrics);
    EXPECT_THAT(text, HasSubstr("groma_test_machine_info{name=\"a\\\"b\\\\c\\nd{e}=,µ\",place=\"here\"} 1\n"));
}

TEST(Exposition, WritesRealNumbersAsOneReadsThem) {
    const auto heat = [](double value) {
        const std::string text = exposed({.temperature = value}, ExpositionFormat::open_metrics);
        const std::size_t begin = text.find("\ngroma_test_heat ") + 1;
        return text.substr(begin, text.find('\n', begin) - begin);
    };
    EXPECT_EQ(heat(3), "groma_test_heat 3.0");
    EXPECT_EQ(heat(-0.25), "groma_test_heat -0.25");
    EXPECT_EQ(heat(1.7e9), "groma_test_heat 1700000000.0");
    EXPECT_EQ(heat(1e300), "groma_test_heat 1e+300");
    EXPECT_EQ(heat(std::numeric_limits<double>::quiet_NaN()), "groma_test_heat NaN");
    EXPECT_EQ(heat(std::numeric_limits<double>::infinity()), "groma_test_heat +Inf");
    EXPECT_EQ(heat(-std::numeric_limits<double>::infinity()), "groma_test_heat -Inf");
}

TEST(AcceptedFormat, IsOpenMetricsForWhoAsksForIt) {
    // What Prometheus 2.42 sends.
    EXPECT_EQ(
        accepted_format("application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                        "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
        ExpositionFormat::open_metrics);
    EXPECT_EQ(accepted_format("application/openmetrics-text"), ExpositionFormat::open_metrics);
    EXPECT_EQ(accepted_format(" Application/OpenMetrics-Text ; Version=1.0.0 ; Q=0.3 "),
              ExpositionFormat::open_metrics);
}

TEST(AcceptedFormat, IsClassicForAllOthers) {
    for (const char* const accept :
         {"", "*/*", "text/plain", "text/html,*/*;q=0.8", "application/openmetrics-text;version=0.0.1",
          "application/openmetrics-text;version=2.0.0", "application/openmetrics-text;q=0",
          "application/openmetrics-text;q=0.4,text/plain;q=0.5"}) {
        EXPECT_EQ(accepted_format(accept), ExpositionFormat::classic) << accept;
    }
}

TEST(AcceptedFormat, LeavesOutWhatCannotBeRead) {
    for (const char* const accept :
         {"application/openmetrics-text;q=", "application/openmetrics-text;q=2", "application/openmetrics-text;q=-1",
          "application/openmetrics-text;q=nan", "application/openmetrics-text;q=0.5x", ";;,,=;q", ",", ";", "=,=;="}) {
        EXPECT_EQ(accepted_format(accept), ExpositionFormat::classic) << accept;
    }
    EXPECT_EQ(accepted_format(";;,x;q=,application/openmetrics-text"), ExpositionFormat::open_metrics);
    EXPECT_EQ(accepted_format(std::string(100'000, ',')), ExpositionFormat::classic);
}

}  // namespace
}  // namespace groma
