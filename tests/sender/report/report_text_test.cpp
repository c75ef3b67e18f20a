#include "sender/report/report_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sender/report/worst_flows.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(ReportText, ReadsLikeThis) {
    EXPECT_EQ(report_tables(faithful_run()),
              R"(experiment 'send', run 0123456789abcdef0123456789abcdef, seed 7: 1 flow to 10.0.0.2:9000, 10 s

The sender's own error
  flow  nominal [pps]  asked [pps]  sent [pps]    ratio  asked [kbit/s]  sent [kbit/s]
  flow           1000         1000        1000  1.00000            4096           4096

  flow  late p50 [us]  p90  p99  p99.9  max  alone  in batches  largest  behind [ms]
  flow              2    2    2      2    2  10000           0        1            0

  flow  gap error p50 [us]  p90  p99  max  variation  n  N  lambda2  +-  KS  A2
  flow                   -    -    -    -          -  -  -        -   -   -   -

Sent and received (packets; bytes of payload)
  flow   sent  received  lost  lost [%]  duplicates  reordered  kernel drops  bytes sent  bytes received
  flow  10000     10000     0         0           0          0             0     5120000         5120000

Clocks and logs
  receiver 10.0.0.2:9000: clock differs by -1.5 ms, at most 40 us off, runs 12.3 +- 0.6 ppm slower
  send.glog: 10000 records, 84 kB
  /var/log/recv.glog (receiver 10.0.0.2:9000)

Sent as asked: 99 % of the packets left within 2 us of their time.
Network: all arrived.
Result: 10000 packets received, lost 0 of 10000; sent as asked
)");
}

TEST(ReportText, SeveralFlowsHaveATotal) {
    EXPECT_THAT(report_tables(faithful_run({"a", "b"})), HasSubstr("\n  total  "));
}

TEST(ReportText, OfManyFlowsTheirTotalAndTheWorstAreShown) {
    std::vector<std::string> names(kMostFlowsInTables + 1, "one-of-many");
    names[7] = "slow";
    names[9] = "lossy";
    SendReport report = faithful_run(names);
    for (FlowReport& flow : report.flows) {
        flow.outcome.fidelity.lateness_ns = LogHistogram();
        flow.outcome.fidelity.lateness_ns.add(0, 10'000);
    }
    set_rates(report.flows[7].outcome.fidelity, 1000, 998);
    report.flows[9].received->packets = 9'999;
    EXPECT_THAT(report_tables(report),
                AllOf(HasSubstr("(of 21 flows, those worst by rate, lateness, gaps and loss)"), HasSubstr("\n  slow  "),
                      HasSubstr("\n  lossy  "), HasSubstr("\n  total  "), Not(HasSubstr("one-of-many"))));
}

TEST(ReportText, WhatWentWrongIsCountedAndWhatDidNotIsNotMentioned) {
    SendReport report = faithful_run();
    report.flows[0].outcome.counts.dropped = 12;
    report.flows[0].outcome.draws.sizes_lowered = 3;
    report.flows[0].received->foreign = 4;
    EXPECT_THAT(report_tables(report),
                AllOf(HasSubstr("\n  12 packets dropped by this host's kernel"), HasSubstr("\n  3 sizes lowered"),
                      HasSubstr("\n  4 packets from other hosts"), Not(HasSubstr("too big"))));
}

TEST(ReportText, SaysHowManyPacketsShareTimesOfArrivalAndWhy) {
    SendReport report = faithful_run({"a", "b"});
    report.flows[0].received->coalescing = Coalescing{.packets = 64, .since = {}, .why = GroReason::half_full};
    report.flows[1].received->coalescing = Coalescing{.packets = 36, .since = {}, .why = GroReason::half_full};
    EXPECT_THAT(report_tables(report),
                HasSubstr("\n  100 packets share times of arrival: the receiver's kernel coalesced "
                          "them (GRO), because the socket's buffer was more than half full\n"));
}

TEST(ReportText, SaysWhereOnlyABoundOfTheLossIsKnown) {
    SendReport report = faithful_run({"a", "b"});
    report.flows[0].received->packets = 9'990;
    report.flows[0].receivers = {{.address = "10.0.0.2:9000", .received = report.flows[0].received}};
    report.flows[0].outcome.counts.unnumbered = 3;
    const std::string text = report_tables(report);
    EXPECT_THAT(text, AllOf(ContainsRegex("\n  a +10000 +9990 +>= 10 +- "), ContainsRegex("\n  b +10000 +10000 +0 +0 "),
                            ContainsRegex("\n  total +20000 +19990 +>= 10 +- "),
                            ContainsRegex("10[.]0[.]0[.]2:9000 +9990 +>= 10 +- "),
                            HasSubstr("\n  3 packets sent without a sequence number")));
}

TEST(ReportText, WithoutResultsWhatArrivedIsUnknown) {
    SendReport report = faithful_run();
    report.flows[0].received.reset();
    EXPECT_THAT(report_tables(report), HasSubstr("unknown"));
}

TEST(ReportText, AReceiverOnThisKernelHasTheSameClock) {
    SendReport report = faithful_run();
    report.receivers[0].same_clock = true;
    EXPECT_THAT(report_tables(report), HasSubstr("receiver 10.0.0.2:9000: on this host's kernel, one clock"));
}

TEST(ReportText, SaysWhenThereAreNoLogs) {
    SendReport report = faithful_run();
    report.log.reset();
    report.receivers[0].log_file.clear();
    EXPECT_THAT(report_tables(report), HasSubstr("no logs were asked for"));
}

TEST(ReportText, GapsAreComparedWithWhatWasAskedFor) {
    SendReport report = faithful_run();
    Fidelity& fidelity = report.flows[0].outcome.fidelity;
    fidelity.gap_error_ns.add(300, 9'999);
    fidelity.gap_variation = 0.98;
    fidelity.fit =
        DistributionFit{.gaps = 9'999, .bins = 32, .lambda2 = 0.0021, .lambda2_error = 0.0011, .ks = 0.012, .a2 = 1.25};
    EXPECT_THAT(
        report_tables(report),
        HasSubstr("  flow                 0.3  0.3  0.3  0.3       0.98  9999  32  0.00210  0.00110  0.0120  1.25\n"));
}

TEST(ReportText, SaysWhatWasRequiredAndWhetherItIsMet) {
    SendReport report = faithful_run();
    report.required = parse_requirements("lateness-p99=3us,rate=0.1%");
    EXPECT_THAT(report_tables(report),
                HasSubstr("\nRequired\n"
                          "  met: the p99 of lateness of flow 'flow' is 2 us, at most 3 us is required\n"
                          "  met: the rate error of flow 'flow' is 0 %, at most 0.1 % is required\n"
                          "\nSent as asked: "));
}

}  // namespace
}  // namespace groma
