#include "sender/report/report_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

nlohmann::json parsed(const SendReport& report) {
    return nlohmann::json::parse(report_json(report));
}

TEST(ReportJson, HasBothSidesCountsOfEachFlow) {
    SendReport report = faithful_run({"a", "b"});
    report.flows[1].received->packets = 9'998;
    const nlohmann::json object = parsed(report);
    EXPECT_EQ(object["schema"], "groma-send 2");
    ASSERT_EQ(object["flows"].size(), 2U);
    EXPECT_EQ(object["flows"][1]["name"], "b");
    EXPECT_EQ(object["flows"][1]["sent_packets"], 10'000);
    EXPECT_EQ(object["flows"][1]["received_packets"], 9'998);
    EXPECT_EQ(object["flows"][1]["lost"], 2);
    EXPECT_EQ(object["flows"][1]["end"], "complete");
    EXPECT_EQ(object["total"]["lost"], 2);
}

TEST(ReportJson, TellsWhetherPacketsShareTimesOfArrival) {
    SendReport report = faithful_run({"a", "b"});
    report.flows[1].received->coalescing =
        Coalescing{.packets = 64, .since = wall_time_from_ns(5), .why = GroReason::asked_for};
    const nlohmann::json object = parsed(report);
    EXPECT_TRUE(object["flows"][0]["gro"].is_null());
    EXPECT_EQ(object["flows"][1]["gro"],
              (nlohmann::json{{"packets", 64}, {"since_ns", 5}, {"why", "it was asked for"}}));
    EXPECT_EQ(object["total"]["gro"]["packets"], 64);
}

TEST(ReportJson, HasTheSendersOwnErrorAndItsVerdict) {
    const nlohmann::json object = parsed(faithful_run());
    EXPECT_EQ(object["verdict"]["result"], "as_asked");
    EXPECT_EQ(object["flows"][0]["rate_error"], 0.0);
    EXPECT_EQ(object["flows"][0]["lateness_max_ns"], 2000);
    EXPECT_EQ(object["flows"][0]["scheduled_pps"], 1000.0);
    EXPECT_EQ(object["flows"][0]["packets_alone"], 10'000);
}

TEST(ReportJson, HasTheRunItsReceiversAndItsLog) {
    const nlohmann::json object = parsed(faithful_run());
    EXPECT_EQ(object["run"]["seed"], 7);
    EXPECT_EQ(object["run"]["run_id"], "0123456789abcdef0123456789abcdef");
    EXPECT_EQ(object["receivers"][0]["clock_offset_ns"], -1'500'000);
    EXPECT_EQ(object["log"]["name"], "send.glog");
    EXPECT_TRUE(object["errors"].empty());
}

TEST(ReportJson, HasTheCostOfBothSidesAndWhatWasMissed) {
    SendReport report = faithful_run();
    report.pacing = {.threads = 1, .pinned = {1}};
    report.usage = CpuUsage{.user = Nanos(2'000'000'000)};
    report.receivers[0].usage = CpuUsage{.system = Nanos(1'000'000'000)};
    report.flows[0].spec.lateness = LatenessPolicy::skip;
    report.flows[0].outcome.counts.missed_slots = 5;
    report.flows[0].outcome.counts.shifted = Nanos(1'500'000);
    report.flows[0].outcome.queue = "etf on eth0";
    report.flows[0].outcome.counts.held_by_kernel = 40;
    report.flows[0].outcome.counts.missed_in_queue = 2;
    const nlohmann::json object = parsed(report);
    EXPECT_EQ(object["run"]["pacing"]["pinned"], nlohmann::json::array({1}));
    EXPECT_EQ(object["run"]["cpu_user_s"], 2.0);
    EXPECT_EQ(object["receivers"][0]["cpu_system_s"], 1.0);
    EXPECT_EQ(object["flows"][0]["lateness_policy"], "skip");
    EXPECT_EQ(object["flows"][0]["missed_slots"], 5);
    EXPECT_EQ(object["flows"][0]["shifted_s"], 0.0015);
    EXPECT_EQ(object["total"]["missed_slots"], 5);
    EXPECT_EQ(object["flows"][0]["departure"], "kernel (etf on eth0)");
    EXPECT_EQ(object["flows"][0]["held_by_kernel"], 40);
    EXPECT_EQ(object["total"]["missed_in_queue"], 2);
    EXPECT_EQ(parsed(faithful_run())["flows"][0]["departure"], "user");
    EXPECT_TRUE(parsed(faithful_run())["run"]["cpu_user_s"].is_null());
}

TEST(ReportJson, HasWhatTheHostDidToTheSender) {
    SendReport report = faithful_run();
    EXPECT_TRUE(parsed(report)["run"]["throttled_times"].is_null());
    EXPECT_TRUE(parsed(report)["verdict"]["causes"].empty());
    report.conditions = CpuConditions{.throttled_times = 3, .throttled = Nanos(500'000'000), .stolen = Nanos(0)};
    report.flows[0].outcome.counts.cut_short = true;
    nlohmann::json object = parsed(report);
    EXPECT_EQ(object["run"]["throttled_times"], 3);
    EXPECT_EQ(object["run"]["throttled_s"], 0.5);
    EXPECT_TRUE(object["run"]["fastest_core_min_khz"].is_null());
    EXPECT_EQ(object["verdict"]["causes"].size(), 1U);
    report.conditions->lowest_khz = 800'000;
    report.conditions->highest_khz = 3'000'000;
    object = parsed(report);
    EXPECT_EQ(object["run"]["fastest_core_min_khz"], 800'000);
    EXPECT_EQ(object["run"]["fastest_core_max_khz"], 3'000'000);
    EXPECT_EQ(object["verdict"]["causes"].size(), 2U);
}

TEST(ReportJson, WhatIsNotKnownIsNull) {
    SendReport report = faithful_run();
    report.flows[0].received.reset();
    report.receivers[0].offset.reset();
    report.log.reset();
    const nlohmann::json object = parsed(report);
    EXPECT_TRUE(object["flows"][0]["received_packets"].is_null());
    EXPECT_TRUE(object["flows"][0]["lost"].is_null());
    EXPECT_TRUE(object["flows"][0]["state"].is_null());
    EXPECT_TRUE(object["total"]["received_packets"].is_null());
    EXPECT_TRUE(object["receivers"][0]["clock_offset_ns"].is_null());
    EXPECT_TRUE(object["log"].is_null());
}

TEST(ReportJson, TellsTheWayForwardFromTheWayBack) {
    SendReport report = faithful_run({"one-way"});
    report.flows.push_back(round_trip_flow(2, "b"));
    report.flows.push_back(round_trip_flow(3, "c"));
    report.flows[0].received->packets = 9'000;  // its losses are no losses of round trips
    const nlohmann::json object = parsed(report);
    EXPECT_TRUE(object["flows"][0]["round_trip"].is_null());
    const nlohmann::json& back = object["flows"][1]["round_trip"];
    EXPECT_EQ(back["forward_lost"], 10);
    EXPECT_EQ(back["replied_packets"], 9'990);
    EXPECT_EQ(back["backward_lost"], 10);
    EXPECT_EQ(back["returned_packets"], 9'980);
    EXPECT_EQ(back["rtt_min_ns"], 100'000);
    EXPECT_EQ(back["rtt_network_max_ns"], 80'000);
    EXPECT_EQ(object["total"]["round_trip"]["forward_lost"], 20);
    EXPECT_EQ(object["total"]["round_trip"]["backward_lost"], 20);
    EXPECT_EQ(object["total"]["round_trip"]["rtt_count"], 2 * 9'980);
}

TEST(ReportJson, DoesNotCallABoundOfTheLossTheLoss) {
    SendReport report = faithful_run({"one-way"});
    report.flows.push_back(round_trip_flow(2, "b"));
    report.flows[1].receivers = {{.address = "10.0.0.2:9000", .received = report.flows[1].received}};
    report.flows[1].outcome.counts.unnumbered = 5;
    const nlohmann::json object = parsed(report);
    EXPECT_EQ(object["flows"][0]["lost"], 0);
    EXPECT_TRUE(object["flows"][0]["lost_at_least"].is_null());
    for (const nlohmann::json& it : {object["flows"][1], object["flows"][1]["receivers"][0], object["total"]}) {
        EXPECT_TRUE(it["lost"].is_null());
        EXPECT_EQ(it["lost_at_least"], 10);
    }
    for (const nlohmann::json& it : {object["flows"][1]["round_trip"], object["total"]["round_trip"]}) {
        EXPECT_TRUE(it["forward_lost"].is_null());
        EXPECT_TRUE(it["backward_lost"].is_null());
    }
    EXPECT_EQ(object["total"]["sent_unnumbered"], 5);
}

TEST(ReportJson, WithoutTheReceiversWordNobodyKnowsWhereRepliesWereLost) {
    SendReport report = faithful_run({});
    report.flows.push_back(round_trip_flow(1, "a"));
    report.flows[0].received.reset();
    const nlohmann::json back = parsed(report)["flows"][0]["round_trip"];
    EXPECT_TRUE(back["forward_lost"].is_null());
    EXPECT_TRUE(back["backward_lost"].is_null());
    EXPECT_EQ(back["returned_packets"], 9'980);
}

TEST(ReportJson, SaysHowAFlowEnded) {
    SendReport report = faithful_run({"a", "b", "c"});
    report.flows[0].outcome.counts.cut_short = true;
    report.flows[1].outcome.counts.end = FlowEnd::interrupted;
    report.flows[2].outcome.counts.end = FlowEnd::failed;
    report.flows[2].outcome.error = "reset";
    const nlohmann::json object = parsed(report);
    EXPECT_EQ(object["flows"][0]["end"], "cut_short");
    EXPECT_EQ(object["flows"][1]["end"], "interrupted");
    EXPECT_EQ(object["flows"][2]["end"], "failed");
    EXPECT_EQ(object["flows"][2]["error"], "reset");
    EXPECT_FALSE(object["errors"].empty());
}

TEST(ReportJson, ANameThatIsNoUtf8DoesNotCostTheReport) {
    EXPECT_NO_THROW(
        (void)parsed(faithful_run({"a\xff"
                                   "b"})));
}

TEST(ReportJson, HasTheGapsAgainstWhatWasAskedFor) {
    SendReport report = faithful_run();
    Fidelity& fidelity = report.flows[0].outcome.fidelity;
    EXPECT_TRUE(parsed(report)["flows"][0]["lambda2"].is_null());
    EXPECT_TRUE(parsed(report)["flows"][0]["gap_variation"].is_null());
    fidelity.gap_error_ns.add(300, 99);
    fidelity.gap_variation = 0.98;
    fidelity.gaps_within_1us = 99;
    fidelity.behind = Nanos(2'500'000);
    fidelity.batch_sizes.add(1, 10'000);
    fidelity.fit = DistributionFit{
        .gaps = 99, .bins = 8, .lambda2 = 0.02, .lambda2_error = 0.03, .ks = 0.05, .ks_within = 0.001, .a2 = 0.9};
    const nlohmann::json flow = parsed(report)["flows"][0];
    EXPECT_EQ(flow["gap_error_p99_ns"], 300);
    EXPECT_EQ(flow["gap_variation"], 0.98);
    EXPECT_EQ(flow["gaps_within_1us"], 99);
    EXPECT_EQ(flow["gaps_within_100us"], 0);
    EXPECT_EQ(flow["behind_ns"], 2'500'000);
    EXPECT_EQ(flow["batch_size_max"], 1);
    EXPECT_EQ(flow["fit_gaps"], 99);
    EXPECT_EQ(flow["fit_bins"], 8);
    EXPECT_EQ(flow["lambda2"], 0.02);
    EXPECT_EQ(flow["lambda2_error"], 0.03);
    EXPECT_EQ(flow["ks"], 0.05);
    EXPECT_EQ(flow["ks_within"], 0.001);
    EXPECT_EQ(flow["a2"], 0.9);
}

TEST(ReportJson, SaysWhyTheTotalHasNoFit) {
    SendReport report = faithful_run({"fitted", "few", "steady"});
    const DistributionFit fit{.gaps = 99, .bins = 8};
    report.flows[0].outcome.fidelity.fit = fit;
    report.flows[0].outcome.fidelity.gap_error_ns.add(300, 99);
    report.flows[1].outcome.fidelity.gap_error_ns.add(300, 3);
    report.flows[2].outcome.fidelity.gap_error_ns.add(300, 99);
    const nlohmann::json object = parsed(report);
    EXPECT_TRUE(object["flows"][0]["no_fit_because"].is_null());
    EXPECT_EQ(object["total"]["no_fit_because"],
              "flow 'steady' has none: " + object["flows"][2]["no_fit_because"].get<std::string>());
    EXPECT_TRUE(parsed(faithful_run({}))["total"]["no_fit_because"].is_null());
}

TEST(ReportJson, HasWhatWasRequired) {
    SendReport report = faithful_run();
    EXPECT_TRUE(parsed(report)["requirements"].empty());
    report.required = parse_requirements("lateness-p99=1us,lambda2=0.1");
    const nlohmann::json object = parsed(report);
    EXPECT_EQ(object["requirements"][0],
              (nlohmann::json{
                  {"what", "lateness-p99"}, {"limit", 1000.0}, {"worst", 2000.0}, {"flow", "flow"}, {"met", false}}));
    EXPECT_TRUE(object["requirements"][1]["worst"].is_null());
    EXPECT_EQ(object["errors"].size(), 2U);
}

TEST(ReportJson, WithoutAScheduleSaysWhyThereIsNoAskedRate) {
    SendReport report = faithful_run({"steady"});
    report.flows.push_back(greedy_report(2, "bulk"));
    const auto object = parsed(report);
    const auto& bulk = object["flows"][1];
    const std::string why = "it was sent as fast as possible: no times between departures were asked for";
    for (const char* figure : {"scheduled_pps", "scheduled_bps", "rate_error", "lateness_p99_ns", "gap_error_p50_ns",
                               "lambda2", "ks", "nominal_pps"}) {
        EXPECT_TRUE(bulk[figure].is_null()) << figure;
    }
    EXPECT_EQ(bulk["no_schedule_because"], why);
    EXPECT_EQ(bulk["no_fit_because"], why);
    EXPECT_EQ(bulk["verdict"]["text"], "as fast as possible");
    EXPECT_EQ(bulk["notes"][0], "asked: as fast as possible; 131072 B a send call");
    EXPECT_EQ(bulk["busy_s"], 10);
    EXPECT_EQ(bulk["network_limited_s"], 8.5);
    EXPECT_EQ(bulk["receive_window_limited_s"], 1.2);
    EXPECT_EQ(bulk["send_buffer_limited_s"], 0.3);
    EXPECT_EQ(bulk["cwnd"], 144'800);
    EXPECT_EQ(bulk["rtt_transport_ns"], 1'200'000);
    EXPECT_TRUE(object["total"]["scheduled_pps"].is_null());
    EXPECT_FALSE(object["total"]["lateness_p99_ns"].is_null());
    EXPECT_TRUE(object["flows"][0]["no_schedule_because"].is_null());
    EXPECT_TRUE(object["flows"][0]["busy_s"].is_null());
}

}  // namespace
}  // namespace groma
