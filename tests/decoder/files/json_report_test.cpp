#include "decoder/files/json_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/decoder/json_report.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

nlohmann::json parsed(const Results& results) {
    return nlohmann::json::parse(json_report(results));
}

TEST(JsonReport, HasTheFiguresOfEachFlow) {
    const auto json = parsed(small_pair().analyzed());
    EXPECT_EQ(json["schema"], "groma-dec 2");
    EXPECT_EQ(json["complete"], true);
    const auto& run = json["runs"][0];
    EXPECT_EQ(run["experiment"], "sample");
    EXPECT_EQ(run["clock"], "one clock");
    EXPECT_EQ(run["clock_offset_ns"], 0);
    const auto& flow = run["flows"][0];
    EXPECT_EQ(flow["flow"], 1);
    EXPECT_EQ(flow["sent_packets"], 3);
    EXPECT_EQ(flow["received_packets"], 3);
    EXPECT_EQ(flow["duplicates"], 1);
    EXPECT_EQ(flow["delay_min_ns"], 1'000'000);
    EXPECT_EQ(flow["jitter_ditg_ns"], 2'000'000.0);
    EXPECT_EQ(flow["lost"], 1);
    EXPECT_DOUBLE_EQ(flow["lost_ratio"].get<double>(), 1.0 / 3);
    EXPECT_EQ(flow["series"][0]["lost"], 1);
    EXPECT_EQ(run["total"]["received_packets"], 3);
    EXPECT_EQ(run["logs"][1]["end"], "complete");
}

TEST(JsonReport, WhatIsUnknownIsNull) {
    const auto json = parsed(analyze({small_pair().receiver.source("recv.glog")}, {}));
    const auto& flow = json["runs"][0]["flows"][0];
    EXPECT_TRUE(flow["sent_packets"].is_null());
    EXPECT_TRUE(flow["sent_pps"].is_null());
    EXPECT_TRUE(flow["lost"].is_null());
    EXPECT_EQ(flow["lost_at_least"], 1);
    EXPECT_EQ(flow["lost_unknown_because"], "without the sender's log");
    EXPECT_TRUE(flow["clock_offset_ns"].is_null());
}

TEST(JsonReport, NamesDamageAndEvents) {
    SamplePair pair = small_pair();
    pair.sender.gaps.push_back({.offset = 99, .bytes = 12, .reason = "checksum"});
    pair.sender.events.push_back({wall_time_from_ns(kStartNs), FlowId{1}, "send-errors", "no route"});
    const auto json = parsed(pair.analyzed());
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["runs"][0]["logs"][0]["gaps"][0]["offset"], 99);
    EXPECT_EQ(json["runs"][0]["logs"][0]["events"][0]["kind"], "send-errors");
    EXPECT_EQ(json["warnings"].size(), 1U);
}

TEST(JsonReport, TextThatIsNotUtf8DoesNotBreakIt) {
    SamplePair pair = small_pair();
    pair.sender.metadata.experiment = "caf\xe9\n\"x\"";
    EXPECT_EQ(parsed(pair.analyzed())["runs"][0]["experiment"], "caf\uFFFD\n\"x\"");
}

}  // namespace
}  // namespace groma
