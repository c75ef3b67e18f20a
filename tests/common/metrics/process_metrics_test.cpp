#include "common/metrics/process_metrics.hpp"

#include <gmock/gmock.h>

#include "tests/metric_page.hpp"

namespace groma {
namespace {

TEST(ProcessMetrics, AreOnThePage) {
    expect_on_page("Every program", process_metrics(), GROMA_TEST_DATA);
}

TEST(ProcessMetrics, TellWhatRunsSinceWhenAndAtWhatCost) {
    Exposition exposition(ExpositionFormat::open_metrics);
    exposition.add(process_metrics(), {.program = "groma-recv",
                                       .started = wall_time_from_ns(1'700'000'000'500'000'000),
                                       .user = std::chrono::milliseconds(1500),
                                       .system = std::chrono::milliseconds(250)});
    const std::string text = exposition.take();
    EXPECT_THAT(text, testing::HasSubstr("groma_build_info{program=\"groma-recv\",version=\"" GROMA_VERSION "\"} 1\n"));
    EXPECT_THAT(text, testing::HasSubstr("groma_start_time_seconds 1700000000.5\n"));
    EXPECT_THAT(text, testing::HasSubstr("groma_cpu_seconds_total{mode=\"user\"} 1.5\n"
                                         "groma_cpu_seconds_total{mode=\"system\"} 0.25\n"));
}

}  // namespace
}  // namespace groma
