#include "sender/report/report_screen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "common/cli/flow_lines.hpp"
#include "common/cli/wrapped_text.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// With what receivers tell of times: 10 s, delays of 9.3 us to 29 us.
void tell_times(ReceivedFlow& received) {
    received.first_arrival = wall_time_from_ns(1'700'000'000'000'000'000);
    received.last_arrival = received.first_arrival + std::chrono::seconds(10);
    ArrivalDelays delays;
    delays.packets = received.packets;
    delays.min = Nanos{9'000};
    delays.p50 = Nanos{300};
    delays.p99 = delays.max = Nanos{20'000};
    delays.jitter_ns = 1234;
    received.delays = delays;
}

SendReport told_run(const std::vector<std::string>& names = {"flow"}) {
    SendReport report = faithful_run(names);
    for (FlowReport& flow : report.flows) {
        tell_times(*flow.received);
        flow.delay_bound = Nanos{0};
    }
    report.delays = report.flows.front().received->delays;
    return report;
}

void expect_one_screen(const std::string& text) {
    EXPECT_LE(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(kMostScreenLines)) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), kLineWidth) << line;
    }
}

TEST(ReportScreen, ReadsLikeThis) {
    EXPECT_EQ(report_screen(told_run()),
              R"('send', run 0123456789abcdef0123456789abcdef, seed 7: 1 flow to 10.0.0.2:9000, 10 s

  flow      received  packet rate  lost  lost [%]  delay p50    p99    jitter
  flow  4.096 Mbit/s    999.9 pps     0         0     9.3 us  29 us  1.234 us

Sent as asked: 99 % of the packets left within 2 us of their time.
Network: all arrived.
Result: 4.096 Mbit/s received, 999.9 pps, lost 0 of 10000, delay p50 9.3 us p99 29 us; sent as asked
)");
}

TEST(ReportScreen, CountsAReceiverOnceWithWhichSeveralSendersHaveSessions) {
    SendReport report = told_run();
    report.receivers.assign(2, ReceiverReport{.address = "10.0.0.2:9000"});
    EXPECT_EQ(where_flows_go(report), "to 10.0.0.2:9000");
    report.receivers.push_back({.address = "10.0.0.3:9000"});
    EXPECT_EQ(where_flows_go(report), "to 2 receivers");
}

TEST(ReportScreen, OfAFlowToSeveralShowsTheWorstAndConcludesOnAll) {
    SendReport report = told_run();
    FlowReport& flow = report.flows[0];
    ReceivedFlow least = *flow.received;
    least.packets = 9'600;
    flow.receivers = {{.address = "b", .received = flow.received}, {.address = "c", .received = least}};
    flow.received = least;
    const std::string text = report_screen(report);
    EXPECT_THAT(text, AllOf(ContainsRegex("\n  flow .* 400 +4 "),
                            HasSubstr("flow: at the one of its 2 receivers that got least; the result is of all\n"),
                            HasSubstr("Network: lost 400 of 20000 (2 %)."), HasSubstr(", lost 400 of 20000")));
}

TEST(ReportScreen, IsOneScreenForTenFlowsWhateverTheyAreCalledAndWhateverWentWrong) {
    SendReport report = told_run(std::vector<std::string>(10, std::string(100, 'x')));
    report.experiment = std::string(40, 'e');
    for (FlowReport& flow : report.flows) {
        flow.spec.transport = Transport::tcp;
        flow.outcome.counts.retransmitted = 12'345;
        flow.outcome.fidelity.packets = 40'000'000;
        flow.outcome.counts.missed_slots = 1'000'000;
        flow.warnings = {"the kernel refused the congestion control 'none': " + std::string(200, 'y') + " and more",
                         "another", "one more", "and one"};
        flow.delay_bound = std::chrono::seconds(100);
    }
    const std::string text = report_screen(report);
    expect_one_screen(text);
    EXPECT_THAT(text, AllOf(HasSubstr("resent"), HasSubstr("\n  total ")));
}

TEST(ReportScreen, OfMoreFlowsTheWorstAndTheFirstAreShown) {
    std::vector<std::string> names;
    for (int i = 0; i < 11; ++i) {
        names.push_back(i == 7 ? "lossy" : "flow-" + std::to_string(i));
    }
    SendReport report = told_run(names);
    report.flows[7].received->packets = 9'000;
    for (FlowReport& flow : report.flows) {
        flow.outcome.fidelity.lateness_ns = LogHistogram();
        flow.outcome.fidelity.lateness_ns.add(0, 10'000);
    }
    const std::string text = report_screen(report);
    expect_one_screen(text);
    EXPECT_THAT(text, AllOf(HasSubstr("\n  lossy "), HasSubstr("\n  total "), HasSubstr("11 flows"), HasSubstr("worst"),
                            HasSubstr("\n  flow-4 "), Not(HasSubstr("\n  flow-5 "))));
}

TEST(ReportScreen, WarningsFillTheRoomThatIsLeft) {
    SendReport report = told_run();
    report.flows[0].warnings.assign(20, "");
    for (std::size_t i = 0; i < 20; ++i) {
        report.flows[0].warnings[i] = "warning " + std::to_string(i);
    }
    const std::string text = report_screen(report);
    expect_one_screen(text);
    EXPECT_THAT(text, AllOf(HasSubstr("\n  flow: warning 0\n"), HasSubstr(" more warnings (--verbose)\n")));
}

TEST(ReportScreen, SaysWhereTheDrawsHaveAnotherRateThanTheModel) {
    SendReport report = told_run();
    FlowReport& flow = report.flows[0];
    flow.spec.idt = Exponential{1e6};
    set_rates(flow.outcome.fidelity, 1009, 1009);
    EXPECT_THAT(report_screen(report), Not(HasSubstr("drawn")));
    set_rates(flow.outcome.fidelity, 1020, 1020);
    EXPECT_THAT(report_screen(report), HasSubstr("\n  flow: drawn: 1.02 kpps, the model's mean is 1 kpps\n"));
    report.flows.push_back(flow);
    EXPECT_THAT(report_screen(report), HasSubstr("is 1 kpps; 1 more flow drew another rate too (--verbose)\n"));
}

TEST(ReportScreen, FlowsThatComeBackHaveTheirRoundTripTimes) {
    SendReport report = told_run();
    report.flows[0] = round_trip_flow(1, "there-and-back");
    tell_times(*report.flows[0].received);
    EXPECT_THAT(report_screen(report), AllOf(HasSubstr("RTT p50"), HasSubstr("RTT p50 100 us p99 100 us;"),
                                             HasSubstr("lost 10 of 10000"), HasSubstr("there-an")));
    report = told_run({"one", "two"});
    report.flows[1] = round_trip_flow(2, "back");
    EXPECT_THAT(report_screen(report), AllOf(HasSubstr("delay p50"), HasSubstr("  RTT 100 us")));
}

TEST(ReportScreen, SaysWhatClocksLeaveOpenWhereThatIsMuch) {
    SendReport report = told_run();
    EXPECT_THAT(report_screen(report), Not(HasSubstr("clocks")));
    report.flows[0].delay_bound = Nanos{40'000};
    EXPECT_THAT(report_screen(report),
                HasSubstr("Network: all arrived. The clocks leave 40 us open in every delay.\n"));
}

TEST(ReportScreen, EndsWithTheResult) {
    SendReport report = told_run();
    set_rates(report.flows[0].outcome.fidelity, 1000, 880);
    report.flows[0].received->packets = 9'000;
    report.flows[0].received->bytes = 9'000 * 512;
    EXPECT_THAT(report_screen(report),
                AllOf(HasSubstr("\nSent not as asked: the rate sent was 12 % below the one asked for.\n"),
                      HasSubstr("\nNetwork: lost 1000 of 10000 (10 %).\n"), HasSubstr("lost 1000 of 10000"),
                      EndsWith("; NOT sent\n   as asked\n")));
    report = faithful_run();
    report.flows[0].received->packets = report.flows[0].received->bytes = 0;
    EXPECT_THAT(report_screen(report), EndsWith("Result: NOTHING ARRIVED of 10000 packets; sent as asked\n"));
    report.flows[0].received.reset();
    EXPECT_THAT(report_screen(report),
                EndsWith("Result: sent 10000 packets, what arrived is unknown; sent as asked\n"));
}

TEST(ReportScreen, SaysOfBulkHowFastItWasAndWhatLimitedIt) {
    SendReport report = faithful_run({});
    report.flows = {greedy_report(1, "bulk")};
    tell_times(*report.flows.front().received);
    const std::string text = report_screen(report);
    EXPECT_THAT(text, HasSubstr("Sent as fast as possible.\n"));
    EXPECT_THAT(text, HasSubstr("TCP was limited by: network 85 %, receive window 12 %, send buffer 3 %."));
    EXPECT_THAT(text, EndsWith("; sent as fast as possible\n"));
    expect_one_screen(text);
}

}  // namespace
}  // namespace groma
