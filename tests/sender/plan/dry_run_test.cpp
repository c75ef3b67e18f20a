#include "sender/plan/dry_run.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"

namespace groma {
namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

FlowSpec flow(std::uint32_t id, const std::string& name, const std::string& idt, std::uint64_t packets) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.name = name;
    spec.target = parse_target("h");
    spec.idt = parse_idt(idt);
    spec.size = parse_size("100");
    spec.stop.packets = packets;
    return spec;
}

std::string dry_run(std::vector<FlowSpec> flows, DryRunFormat format, std::uint64_t most = kAll) {
    Experiment experiment;
    experiment.flows = std::move(flows);
    std::ostringstream out;
    print_dry_run(out, experiment, format, most);
    return out.str();
}

std::vector<nlohmann::json> json_lines(const std::string& text) {
    std::vector<nlohmann::json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
}

TEST(DryRun, PrintsAllFlowsInOrderOfTimeAndThenASummary) {
    EXPECT_EQ(dry_run({flow(1, "slow", "const:2s", 2), flow(2, "fast", "const:0.75s", 3)}, DryRunFormat::text),
              "      offset [s]  flow         seq  size [B]\n"
              "     0.000000000  slow           0       100\n"
              "     0.000000000  fast           0       100\n"
              "     0.750000000  fast           1       100\n"
              "     1.500000000  fast           2       100\n"
              "     2.000000000  slow           1       100\n"
              "\n"
              "flow  packets  bytes  mean rate  payload rate  gaps raised  redrawn  sizes raised  lowered\n"
              "slow        2    200    0.5 pps     400 bit/s            0        0             0        0\n"
              "fast        3    300  1.333 pps  1.067 kbit/s            0        0             0        0\n");
}

TEST(DryRun, JsonLinesCarryOffsetsToTheNanosecond) {
    const std::string text = dry_run({flow(7, "third", "const:3pps", 2)}, DryRunFormat::json_lines);
    EXPECT_EQ(text.substr(0, text.find("{\"summary\"")),
              "{\"flow\":7,\"name\":\"third\",\"seq\":0,\"offset_s\":0.000000000,\"size\":100}\n"
              "{\"flow\":7,\"name\":\"third\",\"seq\":1,\"offset_s\":0.333333333,\"size\":100}\n");
}

TEST(DryRun, JsonEndsWithASummaryOfEachFlow) {
    const auto lines =
        json_lines(dry_run({flow(1, "a", "const:1ms", 3), flow(2, "b", "const:1ms", 1)}, DryRunFormat::json_lines));
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_EQ(lines[4], (nlohmann::json{{"summary", true},
                                        {"flow", 1},
                                        {"name", "a"},
                                        {"packets", 3},
                                        {"bytes", 300},
                                        {"mean_pps", 1000.0},
                                        {"mean_bps", 800000.0},
                                        {"gaps_raised", 0},
                                        {"gaps_redrawn", 0},
                                        {"sizes_raised", 0},
                                        {"sizes_lowered", 0},
                                        {"rate_over_time", nullptr},
                                        {"complete", true}}));
    EXPECT_TRUE(lines[5]["mean_pps"].is_null());
}

TEST(DryRun, AFlowThatIsCutAtTheLimitSaysSo) {
    const auto lines = json_lines(dry_run({flow(1, "long", "const:1ms", 1'000'000), flow(2, "short", "const:1ms", 2)},
                                          DryRunFormat::json_lines, 2));
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_EQ(lines[4]["complete"], false);
    EXPECT_EQ(lines[4]["packets"], 2);
    EXPECT_EQ(lines[5]["complete"], true);
    EXPECT_NE(dry_run({flow(1, "long", "const:1ms", 5)}, DryRunFormat::text, 2).find("cut at the limit"),
              std::string::npos);
}

TEST(DryRun, SaysWhatRateItWasAskedFor) {
    FlowSpec spec = flow(1, "a", "const:1ms", 3);
    spec.rate_over_time = RateOverTime::parse("ramp:0pps:1kpps:1s");
    const auto lines = json_lines(dry_run({spec}, DryRunFormat::json_lines));
    EXPECT_EQ(lines[1]["offset_s"], 0.044721360);  // sqrt(2 * 1 / 1000)
    EXPECT_EQ(lines.back()["rate_over_time"], "ramp:0pps:1kpps:1s");
    const std::string text = dry_run({spec}, DryRunFormat::text, 2);
    EXPECT_NE(text.find("rate ramp:0pps:1kpps:1s; cut at the limit"), std::string::npos) << text;
}

TEST(DryRun, CountsDrawsThatWereMadeUsable) {
    FlowSpec spec = flow(1, "a", "normal:1ms:10ms", 1000);
    spec.size = parse_size("normal:10:10");
    const auto summary = json_lines(dry_run({spec}, DryRunFormat::json_lines)).back();
    EXPECT_GT(summary["gaps_raised"], 0);
    EXPECT_GT(summary["sizes_raised"], 0);
}

TEST(DryRun, NamesCannotBreakTheOutput) {
    const auto lines = json_lines(dry_run({flow(1, "a\"\n\xff", "const:1ms", 1)}, DryRunFormat::json_lines));
    EXPECT_EQ(lines.size(), 2U);
    EXPECT_EQ(dry_run({flow(1, "a\x1b", "const:1ms", 1)}, DryRunFormat::text).find('\x1b'), std::string::npos);
}

TEST(DryRun, StopsWhenNobodyReadsOn) {
    Experiment experiment;
    experiment.flows = {flow(1, "endless", "const:1ms", kAll)};
    std::ostringstream closed;
    closed.setstate(std::ios::badbit);
    print_dry_run(closed, experiment, DryRunFormat::text, kAll);
    EXPECT_EQ(closed.str(), "");
}

TEST(DryRun, AFlowAsFastAsPossibleHasNoDepartures) {
    const std::vector<FlowSpec> flows{flow(1, "bulk", "max", 2), flow(2, "slow", "const:2s", 1)};
    EXPECT_EQ(dry_run(flows, DryRunFormat::text),
              "      offset [s]  flow         seq  size [B]\n"
              "     0.000000000  slow           0       100\n"
              "\n"
              "flow  packets  bytes  mean rate  payload rate  gaps raised  redrawn  sizes raised  lowered\n"
              "bulk        ?      ?        max           max            -        -             -        -  "
              "as fast as possible\n"
              "slow        1    100          -             -            0        0             0        0\n");
    const auto lines = json_lines(dry_run(flows, DryRunFormat::json_lines));
    EXPECT_EQ(lines.at(1)["asked"], "as fast as possible");
    EXPECT_TRUE(lines.at(1)["packets"].is_null());
}

}  // namespace
}  // namespace groma
