#include "common/log/cpu_counters.hpp"
#include "common/json/json_record.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/log/log_json.hpp"

namespace groma {
namespace {

LogTotals two_flows() {
    LogTotals totals{.ended_at = {}, .end = "complete", .flows = {}};
    totals.flows.push_back({.flow = FlowId{1}, .counters = {{"dropped", 3}}});
    totals.flows.push_back({.flow = FlowId{2}, .counters = {}});
    return totals;
}

TEST(CpuCounters, ComeBackAsTheyWereAdded) {
    const CpuUsage usage{
        .user = Nanos{1'500'000'000}, .system = Nanos{7}, .voluntary_switches = 12, .involuntary_switches = 3};
    LogTotals totals = two_flows();
    add_cpu_usage(totals, usage);
    EXPECT_EQ(cpu_usage_of(from_json<LogTotals>(to_json(totals))), usage);
    EXPECT_EQ(totals.flows[0].counters.front().first, "dropped");
    EXPECT_TRUE(totals.flows[1].counters.empty());
}

TEST(CpuCounters, ThatAreNotAllThereAreUnknown) {
    EXPECT_FALSE(cpu_usage_of(two_flows()));
    EXPECT_FALSE(cpu_usage_of(LogTotals{}));
    LogTotals totals = two_flows();
    add_cpu_usage(totals, {});
    totals.flows[0].counters.pop_back();
    EXPECT_FALSE(cpu_usage_of(totals));
}

TEST(CpuCounters, OfALogWithoutFlowsHaveNoPlace) {
    LogTotals totals{};
    add_cpu_usage(totals, {.user = Nanos{1}});
    EXPECT_FALSE(cpu_usage_of(totals));
}

TEST(CpuCounters, ThatAreForgedDoNotOverflow) {
    LogTotals totals = two_flows();
    add_cpu_usage(totals, {});
    for (auto& [name, value] : totals.flows[0].counters) {
        value = ~std::uint64_t{0};
    }
    const auto usage = cpu_usage_of(totals);
    ASSERT_TRUE(usage);
    EXPECT_GT(usage->user + usage->system, Nanos{0});
}

}  // namespace
}  // namespace groma
