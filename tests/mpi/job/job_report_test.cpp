#include "mpi/job/job_report.hpp"
#include "common/json/json_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sender/report/report_codec.hpp"
#include "sender/report/report_json.hpp"
#include "tests/sample_flow.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

FlowReport flow(std::uint32_t id, std::uint64_t packets) {
    FlowReport flow;
    flow.spec.id = FlowId{id};
    flow.spec.name = "flow" + std::to_string(id);
    flow.spec.target.host = "10.0.0.3";
    flow.spec.stop.packets = packets;
    flow.spec.from_host = "alpha";
    flow.outcome.flow = flow.spec.id;
    flow.outcome.fidelity.packets = packets;
    flow.outcome.fidelity.bytes = packets * 100;
    set_rates(flow.outcome.fidelity, 1000, 1000);
    flow.outcome.fidelity.alone = packets;
    for (std::uint64_t i = 1; i <= packets; ++i) {
        flow.outcome.fidelity.lateness_ns.add(static_cast<std::int64_t>(i * 37));
        flow.outcome.fidelity.gap_error_ns.add(static_cast<std::int64_t>(i * 11));
        flow.outcome.fidelity.batch_sizes.add(1);
    }
    flow.spec.idt = Exponential{1e6};
    flow.outcome.fidelity.gap_variation = 0.5;
    flow.outcome.fidelity.behind = Nanos(77);
    flow.outcome.fidelity.gaps_within_10us = 5;
    GapCounts gaps(GapModels().of(flow.spec).model);
    for (std::uint64_t i = 0; i < packets; ++i) {
        gaps.add(static_cast<std::int64_t>(i * 5003));
    }
    flow.outcome.fidelity.gap_counts = gaps;
    PooledGaps pooled;
    pooled.add(gaps);
    flow.outcome.fidelity.fit = pooled.fit();
    flow.received = ReceivedFlow{};
    flow.received->flow = flow.spec.id;
    flow.received->packets = packets - 1;
    flow.received->bytes = (packets - 1) * 100;
    flow.received->state = "ok";
    return flow;
}

SendReport report(std::vector<FlowReport> flows) {
    SendReport report;
    report.run_id = std::string(32, 'a');
    report.experiment = "four";
    report.seed = 7;
    report.host = "host";
    report.started_at = wall_time_from_ns(1'000'000);
    report.elapsed = std::chrono::seconds(2);
    report.flows = std::move(flows);
    report.receivers.push_back(
        {"10.0.0.3:4000",
         "gamma",
         "",
         "/tmp/r.glog",
         "",
         {},
         false,
         OffsetReport{Nanos(-5), Nanos(3), 0.5, 0.25, {{wall_time_from_ns(7), Nanos(1), Nanos(2), Nanos(3)}}, 9}});
    report.log = LogReport{"sender.glog", 10, 100, "", {"log server", 1, 2, 3, "held"}};
    return report;
}

TEST(ReportCodec, AReportSurvivesTheWayToRank0) {
    SendReport before = report({flow(1, 500), flow(2, 3)});
    before.required = parse_requirements("rate=0.1%,lateness-p99=1us");
    RoundTrip back;
    back.returned = 9;
    back.duplicates = 7;
    back.records_lost = 3;
    back.rtt_ns.add(100, 2);
    back.rtt_less_residence_ns.add(90, 2);
    before.flows[1].outcome.round_trip = back;
    before.flows[1].received->replies = 12;
    before.flows[1].received->replies_lost = 1;
    before.flows[1].received->coalescing =
        Coalescing{.packets = 3, .since = wall_time_from_ns(7), .why = GroReason::drops};
    const SendReport after = from_json<SendReport>(nlohmann::json::parse(to_json(before).dump()));
    nlohmann::json expected = nlohmann::json::parse(report_json(before));
    nlohmann::json found = nlohmann::json::parse(report_json(after));
    const auto forget_means = [](nlohmann::json& one) {
        for (const char* const figure :
             {"lateness_mean_ns", "lateness_sd_ns", "gap_error_mean_ns", "gap_error_sd_ns"}) {
            for (nlohmann::json& each : one["flows"]) {
                each.erase(figure);
            }
            one["total"].erase(figure);
        }
    };
    EXPECT_NEAR(found["total"]["lateness_mean_ns"].get<double>(), expected["total"]["lateness_mean_ns"].get<double>(),
                expected["total"]["lateness_mean_ns"].get<double>() / 100);
    forget_means(expected);
    forget_means(found);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(found["flows"][0]["fit_gaps"], 500);
    EXPECT_EQ(found["total"]["fit_gaps"], 503);
    EXPECT_EQ(after.flows.front().spec, before.flows.front().spec);
}

TEST(ReportCodec, WhatIsNoReportIsRefused) {
    nlohmann::json whole = to_json(report({flow(1, 5)}));
    for (const auto& [key, value] : whole.items()) {
        nlohmann::json part = whole;
        part.erase(key);
        if (key != "log") {
            EXPECT_ANY_THROW((void)from_json<SendReport>(part)) << key;
        }
    }
    nlohmann::json cells = whole;
    cells["flows"][0]["outcome"]["fidelity"]["gap_cells"] = {{GapModel::kCells, 1}};
    EXPECT_ANY_THROW((void)from_json<SendReport>(cells));
    whole["flows"][0]["outcome"]["end"] = 17;
    EXPECT_ANY_THROW((void)from_json<SendReport>(whole));
}

TEST(JobReport, FlowsOfAllSendersStandInTheOrderOfTheExperiment) {
    SendReport early = report({flow(2, 10)});
    early.started_at = wall_time_from_ns(500);
    const SendReport whole = merge_parts({{1, "alpha", report({flow(1, 10), flow(3, 10)})}, {0, "beta", early}});
    ASSERT_THAT(whole.flows, SizeIs(3));
    EXPECT_EQ(whole.flows[1].spec.id, FlowId{2});
    EXPECT_EQ(whole.started_at, wall_time_from_ns(500));
    EXPECT_THAT(whole.receivers, SizeIs(2));
    EXPECT_EQ(total_outcome(whole.flows).fidelity.packets, 30U);
}

TEST(JobReport, TheVerdictIsThatOfTheWorstSender) {
    FlowReport bad = flow(2, 100);
    set_rates(bad.outcome.fidelity, 1000, 500);
    JobReport job;
    job.parts = {{0, "alpha", report({flow(1, 100)})}, {1, "beta", report({bad})}};
    job.whole = merge_parts(job.parts);
    EXPECT_THAT(job_report_text(job),
                AllOf(HasSubstr("not as asked"), HasSubstr("flow 'flow2'"), HasSubstr("rank 1, beta")));
    const auto object = nlohmann::json::parse(job_report_json(job));
    EXPECT_EQ(object["verdict"]["result"], "not_as_asked");
    EXPECT_EQ(object["schema"], "groma-mpi 2");
    EXPECT_EQ(object["senders"][1]["name"], "beta");
    EXPECT_EQ(object["senders"][1]["receivers"][0]["address"], "10.0.0.3:4000");
    EXPECT_FALSE(object.contains("receivers"));
}

TEST(JobReport, FailuresNameTheRank) {
    SendReport broken = report({flow(1, 10)});
    broken.log->error = "the disk is full";
    JobReport job;
    job.parts = {{3, "alpha", broken}};
    job.whole = merge_parts(job.parts);
    EXPECT_THAT(failures(job), ElementsAre(AllOf(HasSubstr("rank 3 (alpha, sends)"), HasSubstr("the disk is full"))));
    job.parts.front().report.log->error.clear();
    EXPECT_THAT(failures(job), IsEmpty());
    job.errors = {"rank 2 (beta): died"};
    job.interrupted = true;
    EXPECT_THAT(failures(job), ElementsAre(HasSubstr("interrupted"), "rank 2 (beta): died"));
}

TEST(JobReport, WhatWasRequiredIsJudgedOverAllRanksTogether) {
    JobReport job;
    FlowReport late = flow(2, 100);
    late.outcome.fidelity.lateness_ns.add(1'000'000'000, 300);
    job.parts = {{0, "alpha", report({flow(1, 100)})}, {1, "beta", report({late})}};
    job.whole = merge_parts(job.parts);
    job.whole.required = parse_requirements("lateness-p50=1ms");
    EXPECT_THAT(failures(job), ElementsAre(AllOf(HasSubstr("required, and not met"), HasSubstr("flow 'flow2'"))));
    EXPECT_EQ(nlohmann::json::parse(job_report_json(job))["requirements"][0]["met"], false);
    job.whole.required = parse_requirements("lateness-p50=1min");
    EXPECT_THAT(failures(job), IsEmpty());
}

TEST(JobReport, ThreadsAndCoresAreSaidOfEachRank) {
    SendReport pinned = report({flow(1, 100)});
    pinned.pacing = {
        .threads = 2, .pinned = {1, 3}, .realtime = false, .warnings = {"not in real time: no privileges"}};
    JobReport job;
    job.parts = {{0, "alpha", pinned}, {1, "beta", report({flow(2, 100)})}};
    job.whole = merge_parts(job.parts);
    EXPECT_THAT(job_report_text(job), HasSubstr("How it was sent\n  rank 0, alpha:\n  sent by 2 threads on cores 1,3"));
    const auto object = nlohmann::json::parse(job_report_json(job));
    EXPECT_EQ(object["run"]["pacing"]["threads"], 0);
    EXPECT_EQ(object["senders"][0]["run"]["pacing"]["pinned"], nlohmann::json({1, 3}));
    EXPECT_EQ(object["senders"][0]["run"]["pacing"]["warnings"][0], "not in real time: no privileges");
}

TEST(JobReport, WhatASenderToldWhileItWasSendingIsNoCompleteReport) {
    JobReport job;
    job.parts = {{3, "alpha", report({flow(1, 100)}), true}};
    job.whole = merge_parts(job.parts);
    EXPECT_THAT(failures(job),
                ElementsAre(AllOf(HasSubstr("rank 3 (alpha, sends)"), HasSubstr("2 s after the start"))));
    const nlohmann::json object = nlohmann::json::parse(job_report_json(job));
    EXPECT_EQ(object["complete"], false);
    EXPECT_EQ(object["senders"][0]["so_far"], true);
    EXPECT_EQ(object["flows"][0]["sent_packets"], 100);
}

TEST(JobReport, AJobThatMeasuredNothingHasAReportToo) {
    JobReport job;
    job.errors = {"rank 2: refused"};
    EXPECT_THAT(job_report_text(job), HasSubstr("nothing was measured"));
    EXPECT_EQ(nlohmann::json::parse(job_report_json(job))["errors"][0], "rank 2: refused");
}

}  // namespace
}  // namespace groma
