#include "sender/report/network_verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

NetworkVerdict after(SendReport report, std::uint64_t received, const auto& change) {
    report.flows[0].received->packets = received;
    change(report);
    return judge_network(report);
}

NetworkVerdict after(SendReport report, std::uint64_t received) {
    return after(std::move(report), received, [](SendReport& /*report*/) {});
}

TEST(NetworkVerdict, DoesNotSpeakForFlowsOfAHostThatToldNothing) {
    const auto and_a_lost_host = [](SendReport& it) {
        FlowReport& flow = it.flows.emplace_back();
        flow.outcome.counts.end = FlowEnd::failed;
        flow.outcome.error = "what was sent is not known";
    };
    const NetworkVerdict others = after(faithful_run(), 10'000, and_a_lost_host);
    EXPECT_EQ(others.result, NetworkResult::unknown);
    EXPECT_EQ(others.text, "unknown, because nothing is known of 1 flow; of the others all arrived");
    const NetworkVerdict lossy = after(faithful_run(), 9'988, and_a_lost_host);
    EXPECT_EQ(lossy.text, "lost 12 of 10000 (0.12 %); nothing is known of 1 flow");
    SendReport report = faithful_run();
    and_a_lost_host(report);
    EXPECT_EQ(report.flows.back().lost(), LostPackets{});
}

TEST(NetworkVerdict, SaysHowMuchWasLost) {
    const NetworkVerdict all = after(faithful_run(), 10'000);
    EXPECT_EQ(all.result, NetworkResult::all);
    EXPECT_EQ(all.text, "all arrived");
    const NetworkVerdict some = after(faithful_run(), 9'988);
    EXPECT_EQ(some.result, NetworkResult::lossy);
    EXPECT_EQ(some.text, "lost 12 of 10000 (0.12 %)");
    const NetworkVerdict bound =
        after(faithful_run(), 9'988, [](SendReport& it) { it.flows[0].outcome.counts.unnumbered = 1; });
    EXPECT_EQ(bound.text, "lost at least 12 of 10000 (0.12 %)");
    const NetworkVerdict full =
        after(faithful_run(), 9'988, [](SendReport& it) { it.flows[0].received->kernel_drops = 7; });
    EXPECT_EQ(full.text,
              "lost 12 of 10000 (0.12 %); the receiver's kernel dropped 7 because a socket's buffer was full");
}

TEST(NetworkVerdict, NamesTheQueuesOfTheSenderThatDropped) {
    SendReport report = faithful_run();
    report.queue_drops = {{"tbf on eth0", 12}};
    EXPECT_EQ(judge_network(report).text, "all arrived; the sender's queue tbf on eth0 dropped 12 meanwhile");
    const auto keeps = [](SendReport& /*report*/) {};
    EXPECT_TRUE(after(report, 9000, keeps).text.ends_with("; the sender's queue tbf on eth0 dropped 12 meanwhile"));
    EXPECT_TRUE(after(report, 0, keeps).text.ends_with("; the sender's queue tbf on eth0 dropped 12 meanwhile"));
}

TEST(NetworkVerdict, OfARunOfWhichNothingArrivedAsksForTheLikeliestCause) {
    const NetworkVerdict silent = after(faithful_run(), 0);
    EXPECT_EQ(silent.result, NetworkResult::nothing);
    EXPECT_EQ(silent.text, "NOTHING ARRIVED (does a firewall drop UDP to 10.0.0.2:5000?)");
    const NetworkVerdict refused =
        after(faithful_run(), 0, [](SendReport& it) { it.flows[0].outcome.counts.refused = 3; });
    EXPECT_EQ(refused.text,
              "NOTHING ARRIVED (10.0.0.2:5000 answered that no program listens there: was groma-recv ended, or a port "
              "forwarded to another host?)");
    const NetworkVerdict full =
        after(faithful_run(), 0, [](SendReport& it) { it.flows[0].received->kernel_drops = 9'000; });
    EXPECT_EQ(full.text,
              "NOTHING ARRIVED (the receiver's kernel dropped 9000 packets because the socket's buffer was full)");
    const NetworkVerdict changed =
        after(faithful_run(), 0, [](SendReport& it) { it.flows[0].received->foreign = 10'000; });
    EXPECT_EQ(changed.text,
              "NOTHING ARRIVED (packets came that are not the flow's: does something on the path change addresses or "
              "payloads?)");
}

TEST(NetworkVerdict, OfAFlowToSeveralSomethingArrivedIfAnyOfThemGotSome) {
    SendReport report = faithful_run();
    ReceivedFlow none = *report.flows[0].received;
    none.packets = none.bytes = 0;
    report.flows[0].receivers = {{.address = "b", .received = none},
                                 {.address = "c", .received = report.flows[0].received}};
    report.flows[0].received = none;
    EXPECT_EQ(judge_network(report).result, NetworkResult::lossy);
    report.flows[0].receivers[1].received = none;
    EXPECT_EQ(judge_network(report).result, NetworkResult::nothing);
}

TEST(NetworkVerdict, NamesTheFlowsOfWhichNothingArrived) {
    const NetworkVerdict one = after(faithful_run({"a", "b", "c"}), 0);
    EXPECT_EQ(one.result, NetworkResult::lossy);
    EXPECT_EQ(one.text,
              "lost 10000 of 30000 (33 %); nothing arrived of flow 'a' (does a firewall drop UDP to 10.0.0.2:5000?)");
    const NetworkVerdict two =
        after(faithful_run({"a", "b", "c"}), 0, [](SendReport& it) { it.flows[2].received->packets = 0; });
    EXPECT_EQ(
        two.text,
        "lost 20000 of 30000 (67 %); nothing arrived of 2 of 3 flows, 'a' among them (does a firewall drop UDP to "
        "10.0.0.2:5000?)");
}

TEST(NetworkVerdict, IsUnknownWithoutResultsAndWhereNothingWasSent) {
    const NetworkVerdict untold = after(faithful_run(), 0, [](SendReport& it) { it.flows[0].received.reset(); });
    EXPECT_EQ(untold.result, NetworkResult::unknown);
    EXPECT_EQ(untold.text, "unknown, because a receiver told no results");
    for (const bool one_told : {false, true}) {
        const NetworkVerdict several = after(faithful_run(), 10'000, [one_told](SendReport& it) {
            FlowReport& flow = it.flows[0];
            flow.received = one_told ? flow.received : std::nullopt;
            flow.receivers = {{.address = "b", .received = std::nullopt}, {.address = "c", .received = flow.received}};
            EXPECT_EQ(to_string(flow.lost()), one_told ? ">= 0" : "unknown");
        });
        EXPECT_EQ(several.result, NetworkResult::unknown);
        EXPECT_EQ(several.text, "unknown, because a receiver told no results");
    }
    const NetworkVerdict unsent =
        after(faithful_run(), 0, [](SendReport& it) { it.flows[0].outcome.fidelity.packets = 0; });
    EXPECT_EQ(unsent.result, NetworkResult::unknown);
    EXPECT_EQ(unsent.text, "unknown, because nothing was sent");
}

TEST(NetworkVerdict, RequestsWithoutAnyResponseHaveFailed) {
    SendReport report = faithful_run();
    FlowReport& flow = report.flows[0];
    flow.spec.meter = Meter::round_trip;
    flow.spec.in_flight = 1;
    flow.outcome.round_trip.emplace();
    EXPECT_EQ(judge_network(report).text,
              "NO RESPONSE CAME BACK (does a firewall at the sender drop what comes from 10.0.0.2:5000?)");
    EXPECT_THAT(failures(report), Contains(HasSubstr("NO RESPONSE CAME BACK")));
    flow.outcome.round_trip->returned = 1;
    EXPECT_THAT(failures(report), Not(Contains(HasSubstr("NO RESPONSE CAME BACK"))));
}

TEST(NetworkVerdict, ARunOfWhichNothingArrivedHasFailed) {
    SendReport report = faithful_run();
    EXPECT_THAT(failures(report), IsEmpty());
    report.flows[0].received->packets = report.flows[0].received->bytes = 0;
    EXPECT_THAT(failures(report), Contains("NOTHING ARRIVED (does a firewall drop UDP to 10.0.0.2:5000?)"));
}

}  // namespace
}  // namespace groma
