#include "sender/report/transactions.hpp"

#include <gtest/gtest.h>

#include "sender/report/report_screen.hpp"
#include "sender/report/verdict.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

/// 80 requests in ten seconds, of which one got no response and one got two.
FlowReport requests(std::uint32_t id) {
    FlowReport flow = greedy_report(id, "requests");
    flow.spec.meter = Meter::round_trip;
    flow.spec.in_flight = 1;
    flow.outcome.limits.reset();
    flow.outcome.fidelity.sent = {};
    flow.outcome.fidelity.sent.include({Nanos{0}, Nanos{0}});
    flow.outcome.fidelity.sent.include({Nanos{9'875'000'000}, Nanos{9'875'000'000}});
    flow.outcome.round_trip.emplace();
    flow.outcome.round_trip->returned = 80;
    flow.outcome.round_trip->duplicates = 1;
    flow.received->replies = flow.received->packets;
    return flow;
}

SendReport run_of_requests() {
    SendReport report = faithful_run();
    report.flows = {requests(1), requests(2)};
    report.usage = CpuUsage{.user = Nanos{158'000}, .system = Nanos{158'000}};
    report.receivers.front().usage = CpuUsage{.user = Nanos{79'000}, .system = Nanos{79'000}};
    return report;
}

TEST(Transactions, AreRequestsWhoseResponsesCame) {
    const auto found = transactions(run_of_requests());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, 158U);
    EXPECT_NEAR(*found->per_s, 159 / 9.875 * 158 / 160, 1e-9);
    EXPECT_EQ(found->sender_cpu, Nanos{2000});
    EXPECT_EQ(found->receiver_cpu, Nanos{1000});
    EXPECT_EQ(transactions_text(run_of_requests()),
              "15.9 transactions/s, each with 2 us of CPU here and 1 us at the receiver");
}

TEST(Transactions, OfFlowsThatFollowEachOtherHaveTheRateOfTheWholeTime) {
    SendReport report = run_of_requests();
    Fidelity& second = report.flows[1].outcome.fidelity;
    second.sent = {};
    second.sent.include({Nanos{9'875'000'000}, Nanos{9'875'000'000}});
    second.sent.include({Nanos{19'875'000'000}, Nanos{19'875'000'000}});
    EXPECT_NEAR(*transactions(report)->per_s, 159 / 19.875 * 158 / 160, 1e-9);
}

TEST(Transactions, OfALoopThatWaitedToItsEndHaveTheRateOfThatTime) {
    SendReport report = run_of_requests();
    report.elapsed = Nanos{30'000'000'000};
    for (FlowReport& flow : report.flows) {
        flow.spec.start_delay = Nanos{0};
        flow.spec.stop = {.duration = Nanos{20'000'000'000}, .packets = {}, .bytes = {}};
    }
    EXPECT_NEAR(*transactions(report)->per_s, 159 / 20.0 * 158 / 160, 1e-9);
    report.elapsed = Nanos{15'000'000'000};
    EXPECT_NEAR(*transactions(report)->per_s, 159 / 15.0 * 158 / 160, 1e-9);
}

TEST(Transactions, OfOneRequestHaveNoRate) {
    SendReport report = run_of_requests();
    report.flows.resize(1);
    Fidelity& only = report.flows[0].outcome.fidelity;
    only.packets = 1;
    only.sent = {};
    only.sent.include({Nanos{5}, Nanos{5}});
    report.flows[0].outcome.round_trip->returned = 1;
    report.flows[0].outcome.round_trip->duplicates = 0;
    EXPECT_EQ(transactions(report)->per_s, std::nullopt);
    EXPECT_TRUE(transactions_text(report).starts_with("1 transaction, each with ")) << transactions_text(report);
}

TEST(Transactions, HaveNoCostOfTheirOwnBesideOtherFlows) {
    SendReport report = run_of_requests();
    report.flows.push_back(faithful_flow(3, "steady"));
    EXPECT_EQ(transactions(report)->sender_cpu, std::nullopt);
    EXPECT_EQ(transactions_text(report), "15.9 transactions/s");
}

TEST(Transactions, AreNoneWithoutRequestsOrResponses) {
    EXPECT_EQ(transactions(faithful_run()), std::nullopt);
    SendReport report = run_of_requests();
    for (FlowReport& flow : report.flows) {
        flow.outcome.round_trip->returned = flow.outcome.round_trip->duplicates = 0;
    }
    EXPECT_EQ(transactions(report), std::nullopt);
    EXPECT_EQ(transactions_text(report), "");
}

TEST(Transactions, NameRequestsThatWereGivenUp) {
    SendReport report = run_of_requests();
    report.flows.front().outcome.round_trip->timed_out = 3;
    EXPECT_TRUE(transactions_text(report).ends_with("at the receiver; 3 requests given up without a response"));
    for (FlowReport& flow : report.flows) {
        flow.outcome.round_trip->returned = flow.outcome.round_trip->duplicates = 0;
    }
    EXPECT_EQ(transactions_text(report), "0 transactions/s; 3 requests given up without a response");
}

TEST(Transactions, SayHowLongConnectingTookAndWhatFailed) {
    SendReport report = run_of_requests();
    for (int i = 1; i <= 100; ++i) {
        report.flows.front().outcome.round_trip->connect_ns.add(i);
    }
    report.flows.back().outcome.round_trip->connections_failed = 1;
    EXPECT_TRUE(transactions_text(report).ends_with("; connecting took p50 50 ns p99 99 ns; 1 connection failed"))
        << transactions_text(report);
}

TEST(Transactions, AreSentAsRepliesCome) {
    SendReport report = run_of_requests();
    EXPECT_EQ(judge(report.flows).text, "as replies came");
    EXPECT_TRUE(result_line(report).ends_with("; sent as replies came")) << result_line(report);
    report.flows.push_back(greedy_report(3, "bulk"));
    EXPECT_EQ(judge(report.flows).text, "as fast as possible");
}

}  // namespace
}  // namespace groma
