#include "decoder/files/json_lines.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/decoder/json_report.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using Json = nlohmann::json;

std::vector<Json> lines_of(const Results& results) {
    std::vector<Json> lines;
    write_json_lines(results, [&](std::string_view line) {
        EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line, and whole";
        lines.push_back(Json::parse(line));
    });
    return lines;
}

/// Without the members that only a line has.
Json without(Json line, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        EXPECT_TRUE(line.contains(name)) << name;
        line.erase(name);
    }
    return line;
}

std::vector<Json> of_type(const std::vector<Json>& lines, const std::string& type) {
    std::vector<Json> found;
    std::ranges::copy_if(lines, std::back_inserter(found), [&](const Json& line) { return line["type"] == type; });
    return found;
}

TEST(JsonLines, SayWhatTheJsonReportSays) {
    const Results results = small_pair().analyzed();
    const Json report = Json::parse(json_report(results));
    const Json& run = report["runs"][0];
    const auto lines = lines_of(results);
    EXPECT_EQ(lines.front()["type"], "report");
    EXPECT_EQ(lines.front()["complete"], report["complete"]);
    const auto logs = of_type(lines, "log");
    ASSERT_EQ(logs.size(), 2U);
    EXPECT_EQ(without(logs[1], {"type", "run_id"}), run["logs"][1]);
    const auto flows = of_type(lines, "flow");
    ASSERT_EQ(flows.size(), 1U);
    Json flow = run["flows"][0];
    flow.erase("series");
    EXPECT_EQ(without(flows[0], {"type", "run_id"}), flow);
    Json total = run["total"];
    total.erase("series");
    EXPECT_EQ(without(of_type(lines, "total").at(0), {"type", "run_id"}), total);
    EXPECT_EQ(of_type(lines, "run").at(0)["seed"], run["seed"]);
}

TEST(JsonLines, HaveALineForEachIntervalOfEachFlowAndOfTheTotal) {
    AnalysisOptions options;
    options.interval = Nanos{10'000'000};
    const Results results = small_pair().analyzed(options);
    const Json run = Json::parse(json_report(results))["runs"][0];
    const auto intervals = of_type(lines_of(results), "interval");
    ASSERT_EQ(intervals.size(), run["flows"][0]["series"].size() + run["total"]["series"].size());
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        const std::size_t rows = run["flows"][0]["series"].size();
        const bool total = i >= rows;
        EXPECT_EQ(intervals[i]["flow"], total ? 0 : 1);
        EXPECT_EQ(intervals[i]["name"], total ? "total" : "flow-1");
        EXPECT_EQ(without(intervals[i], {"type", "run_id", "flow", "name", "receiver"}),
                  total ? run["total"]["series"][i - rows] : run["flows"][0]["series"][i]);
    }
}

TEST(JsonLines, StayOnTheirLineWhateverALogSays) {
    SamplePair pair = small_pair();
    pair.sender.metadata.flows[0].spec.name = pair.receiver.metadata.flows[0].spec.name = "a\n\"b\xff";
    pair.receiver.totals.reset();
    const auto lines = lines_of(pair.analyzed());
    EXPECT_FALSE(of_type(lines, "warning").empty());
    EXPECT_EQ(of_type(lines, "flow").at(0)["name"], "a\n\"b\xef\xbf\xbd");
}

}  // namespace
}  // namespace groma
