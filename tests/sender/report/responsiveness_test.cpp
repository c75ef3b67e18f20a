#include "sender/report/responsiveness.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

constexpr std::int64_t kMs = 1'000'000;

TimeSpan seconds(double first, double last) {
    return {.first = Nanos{std::llround(first * 1e9)}, .last = Nanos{std::llround(last * 1e9)}};
}

FlowReport stream(std::uint32_t id, std::initializer_list<std::int64_t> rtts) {
    FlowReport flow = greedy_report(id, "stream");
    flow.outcome.fidelity.sent = seconds(5, 15);
    for (const std::int64_t rtt : rtts) {
        flow.outcome.late_rtt_ns.add(rtt);
    }
    return flow;
}

/// 19 requests of 30 ms, with their connections, and a slow one.
FlowReport requests_on_new_connections(std::uint32_t id) {
    FlowReport flow = greedy_report(id, "new");
    flow.spec.meter = Meter::round_trip;
    flow.spec.in_flight = 1;
    flow.outcome.fidelity.sent = seconds(11, 15);
    flow.spec.requests_per_connection = Constant{1};
    flow.outcome.round_trip.emplace();
    flow.outcome.round_trip->rtt_ns.add(30 * kMs, 19);
    flow.outcome.round_trip->rtt_ns.add(5000 * kMs, 1);
    return flow;
}

SendReport run_of(std::vector<FlowReport> flows) {
    SendReport report = faithful_run();
    report.flows = std::move(flows);
    return report;
}

TEST(Responsiveness, IsTheMeanOfNewConnectionsAndOfThoseOfTheLoad) {
    const auto found =
        responsiveness(run_of({requests_on_new_connections(1), stream(2, {40 * kMs}), stream(3, {20 * kMs})}));
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->foreign_rpm, 60'000 / (30.0 / 2), 4000 / 128.0);
    EXPECT_NEAR(found->loaded_rpm, 60'000 / 30.0, 2000 / 128.0);
    EXPECT_DOUBLE_EQ(found->rpm(), (found->foreign_rpm + found->loaded_rpm) / 2);
}

TEST(Responsiveness, IsSaidInASentence) {
    EXPECT_EQ(responsiveness_text(run_of({requests_on_new_connections(1), stream(2, {30 * kMs})})),
              "Responsiveness 3000 round trips a minute: 4000 on new connections, 2000 on those of the load");
}

TEST(Responsiveness, IsOfRequestsBesideTheLoad) {
    const auto found_at = [](const TimeSpan& time) {
        FlowReport requests = requests_on_new_connections(1);
        requests.outcome.fidelity.sent = time;
        return responsiveness(run_of({requests, stream(2, {20 * kMs})})).has_value();
    };
    EXPECT_TRUE(found_at(seconds(5, 15)));
    EXPECT_TRUE(found_at(seconds(4.9, 8)));
    EXPECT_TRUE(found_at(seconds(7, 7)));
    EXPECT_FALSE(found_at(seconds(4, 8)));
    EXPECT_FALSE(found_at(seconds(12, 16)));
    EXPECT_FALSE(found_at(seconds(16, 20)));
    EXPECT_FALSE(found_at(seconds(4, 4)));
    EXPECT_FALSE(found_at({}));
    EXPECT_FALSE(found_at({.first = -kLongestSpan, .last = kLongestSpan})) << "of a forged report";
}

TEST(Responsiveness, TakesBothAndKnownTimes) {
    FlowReport several = requests_on_new_connections(1);
    several.spec.requests_per_connection = Constant{2};
    FlowReport unanswered = requests_on_new_connections(1);
    unanswered.outcome.round_trip.emplace();
    FlowReport paced = stream(2, {20 * kMs});
    paced.outcome.fidelity.greedy = false;
    FlowReport asking = stream(2, {20 * kMs});
    asking.spec.in_flight = 1;
    const std::vector<std::vector<FlowReport>> without = {{},
                                                          {requests_on_new_connections(1)},
                                                          {stream(2, {20 * kMs})},
                                                          {requests_on_new_connections(1), stream(2, {})},
                                                          {requests_on_new_connections(1), stream(2, {-20 * kMs})},
                                                          {requests_on_new_connections(1), paced},
                                                          {requests_on_new_connections(1), asking},
                                                          {several, stream(2, {20 * kMs})},
                                                          {unanswered, stream(2, {20 * kMs})}};
    for (std::size_t i = 0; i < without.size(); ++i) {
        EXPECT_FALSE(responsiveness(run_of(without[i]))) << i;
        EXPECT_EQ(responsiveness_text(run_of(without[i])), "") << i;
    }
}

}  // namespace
}  // namespace groma
