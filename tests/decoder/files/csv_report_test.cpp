#include "decoder/files/csv_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/plain_text.hpp"
#include "tests/awkward_names.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CsvReport, QuotesWhatWouldBreakALine) {
    EXPECT_EQ(csv_field("plain"), "plain");
    EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
    EXPECT_EQ(csv_field("two\nlines \x1b[2J"), "two\\x0alines \\x1b[2J") << "a terminal obeys nothing of it";
}

TEST(CsvReport, HasNoTextThatASpreadsheetWouldWorkOut) {
    EXPECT_EQ(csv_field("=1+1"), "'=1+1");
    EXPECT_EQ(csv_field("+1-1"), "'+1-1");
    EXPECT_EQ(csv_field("-1+1"), "'-1+1");
    EXPECT_EQ(csv_field("-"), "'-");
    EXPECT_EQ(csv_field("@SUM(A1,\"x\")"), "\"'@SUM(A1,\"\"x\"\")\"");
    EXPECT_EQ(csv_field("\t=1"), "'\\x09=1");
    EXPECT_EQ(csv_field("\r=1"), "'\\x0d=1");
    for (const char* unchanged : {"-5", "+5", "-1.5e-3", "a=b", "'=1", ""}) {
        EXPECT_EQ(csv_field(unchanged), unchanged);
    }
}

TEST(CsvReport, HasAHeadingAndALineForEachInterval) {
    EXPECT_EQ(
        csv_report(small_pair().analyzed()),
        "run_id,flow,name,receiver_host,t_s,sent_packets,received_packets,received_bytes,throughput_bps,packet_rate_"
        "pps,sent_rate_pps,"
        "delay_mean_ns,delay_min_ns,delay_max_ns,jitter_ns,lost,returned_packets,rtt_mean_ns,rtt_min_ns,rtt_max_ns,"
        "sent_covered_s,covered_s\r\n"
        "0123456789abcdef0123456789abcdef,1,flow-1,beta,0,3,3,1500,347826.0869565218,86.95652173913044,100,2000000,"
        "1000000,3000000,2000000,1,,,,,0.02,0.023\r\n");
}

/// The records of RFC 4180.
std::vector<std::vector<std::string>> records_of(const std::string& csv) {
    std::vector<std::vector<std::string>> records{{""}};
    bool quoted = false;
    for (std::size_t at = 0; at < csv.size(); ++at) {
        const bool doubled = csv.compare(at, 2, "\"\"") == 0;
        if (csv[at] == '"' and not(quoted and doubled)) {
            quoted = not quoted;
        } else if (not quoted and csv[at] == ',') {
            records.back().emplace_back();
        } else if (not quoted and csv.compare(at, 2, "\r\n") == 0) {
            records.push_back({""});
            ++at;
        } else {
            records.back().back() += csv[at];
            at += quoted and doubled ? 1 : 0;
        }
    }
    records.pop_back();
    return records;
}

TEST(CsvReport, HasTheSameCellsWhateverThingsAreCalled) {
    const auto plain = records_of(csv_report(pair_that_says("a").analyzed()));
    ASSERT_GT(plain.size(), 2U);
    for (const std::string name : kAwkwardNames) {
        const std::string shown = plain_text(name, name.size());
        const auto records = records_of(csv_report(pair_that_says(name).analyzed()));
        ASSERT_EQ(records.size(), plain.size()) << plain_text(name);
        for (std::size_t row = 0; row < plain.size(); ++row) {
            ASSERT_EQ(records[row].size(), plain[row].size()) << plain_text(name);
            for (std::size_t i = 0; i < plain[row].size(); ++i) {
                const std::string& cell = records[row][i];
                EXPECT_TRUE(cell == (plain[row][i] == "a" ? shown : plain[row][i]) or cell == "'" + shown) << cell;
                EXPECT_TRUE(cell.empty() or cell.find_first_of("=+-@\t\r\n") != 0) << cell;
            }
        }
    }
}

TEST(CsvReport, LeavesUnknownFiguresEmpty) {
    EXPECT_THAT(csv_report(analyze({small_pair().sender.source("s")}, {})),
                HasSubstr(",flow-1,,0,3,,,,,100,,,,,,,,,,0.02,\r\n"));
}

TEST(CsvReport, HasATotalOnlyForSeveralFlows) {
    EXPECT_THAT(csv_report(small_pair().analyzed()), Not(HasSubstr("total")));
    SampleLog sender = empty_log(LogRole::sender, 2);
    sender.sent = {{FlowId{1}, {sent_packet(0, 0)}}, {FlowId{2}, {sent_packet(0, 0)}}};
    close(sender);
    EXPECT_THAT(csv_report(analyze({sender.source("s")}, {})), HasSubstr(",0,total,,0,2,"));
}

}  // namespace
}  // namespace groma
