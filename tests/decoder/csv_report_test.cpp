#include "decoder/csv_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CsvReport, QuotesWhatWouldBreakALine) {
    EXPECT_EQ(csv_field("plain"), "plain");
    EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
    EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(csv_field("\r"), "\"\r\"");
}

TEST(CsvReport, HasAHeadingAndALineForEachInterval) {
    EXPECT_EQ(
        csv_report(small_pair().analyzed()),
        "run_id,flow,name,t_s,sent_packets,received_packets,received_bytes,throughput_bps,packet_rate_pps,"
        "delay_mean_ns,delay_min_ns,delay_max_ns,jitter_ns,lost,receiver,returned_packets,rtt_mean_ns,rtt_min_ns,rtt_"
        "max_ns\r\n"
        "0123456789abcdef0123456789abcdef,1,flow-1,0,3,3,1500,12000,3,2000000,1000000,3000000,2000000,1,beta,,,,\r\n");
}

TEST(CsvReport, LeavesUnknownFiguresEmpty) {
    EXPECT_THAT(csv_report(analyze({small_pair().sender.source("s")}, {})), HasSubstr(",flow-1,0,3,,,,,,,,,,,,,,\r\n"));
}

TEST(CsvReport, HasATotalOnlyForSeveralFlows) {
    EXPECT_THAT(csv_report(small_pair().analyzed()), Not(HasSubstr("total")));
    SampleLog sender = empty_log(LogRole::sender, 2);
    sender.sent = {{FlowId{1}, {sent_packet(0, 0)}}, {FlowId{2}, {sent_packet(0, 0)}}};
    close(sender);
    EXPECT_THAT(csv_report(analyze({sender.source("s")}, {})), HasSubstr(",0,total,0,2,"));
}

}  // namespace
}  // namespace groma
