#include "sender/report/connection_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

TEST(ConnectionReport, NamesTheLargestLimitFirst) {
    EXPECT_EQ(limits_in_words({Nanos{1000}, Nanos{120}, Nanos{30}}),
              "network 85 %, receive window 12 %, send buffer 3 %");
    EXPECT_EQ(limits_in_words({Nanos{1000}, Nanos{900}, Nanos{200}}),
              "receive window 90 %, send buffer 20 %, network 0 %");
}

TEST(ConnectionReport, HasALineOfEachConnectionAndOfAllTogether) {
    SendReport report = faithful_run({"datagrams"});
    EXPECT_EQ(connections_text(report), "");
    report.flows.push_back(greedy_report(2, "bulk"));
    report.flows.push_back(greedy_report(3, "idle"));
    report.flows.back().outcome.limits->by_receive_window = Nanos{10'000'000'000};
    report.flows.back().outcome.connection.reset();
    EXPECT_EQ(connections_text(report), R"(
Connections at their ends (of the time that data waited or were on the way: what limited them)
  flow   sent again      cwnd     RTT  least RTT  busy  limited by network [%]  receive window  send buffer
  bulk            7  144.8 kB  1.2 ms          -  10 s                      85              12            3
  idle            7         -       -          -  10 s                       0             100            3
  total          14         -       -          -  20 s                      41              56            3
)");
}

TEST(ConnectionReport, TheLimitsOfBulkAreThoseOfFlowsWithoutASchedule) {
    SendReport report = faithful_run({"steady"});
    report.flows.front().outcome.limits = SendLimits{Nanos{1000}, Nanos{1000}, Nanos{0}};
    EXPECT_EQ(bulk_limits_text(report), "");
    report.flows.push_back(greedy_report(2, "bulk"));
    EXPECT_EQ(bulk_limits_text(report), "TCP was limited by: network 85 %, receive window 12 %, send buffer 3 %");
}

}  // namespace
}  // namespace groma
