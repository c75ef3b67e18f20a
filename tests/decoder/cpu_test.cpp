#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/log/cpu_counters.hpp"
#include "common/os/temporary_folder.hpp"
#include "decoder/files/sqlite_report.hpp"
#include "decoder/text/text_report.hpp"
#include "tests/decoder/json_report.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Three packets were sent, for 1.2 ms of user and 0.3 ms of system time.
Results with_cpu() {
    SamplePair pair = small_pair();
    add_cpu_usage(
        *pair.sender.totals,
        {.user = Nanos{1'200'000}, .system = Nanos{300'000}, .voluntary_switches = 12, .involuntary_switches = 3});
    return pair.analyzed();
}

TEST(Cpu, OfALogsProgramIsInEveryReport) {
    const Results results = with_cpu();
    const auto json = nlohmann::json::parse(json_report(results));
    const auto& logs = json["runs"][0]["logs"];
    EXPECT_DOUBLE_EQ(logs[0]["cpu_user_s"].get<double>(), 0.0012);
    EXPECT_EQ(logs[0]["involuntary_switches"], 3);
    EXPECT_DOUBLE_EQ(logs[0]["cpu_ns_per_packet"].get<double>(), 500'000);
    EXPECT_TRUE(logs[1]["cpu_user_s"].is_null());
    EXPECT_THAT(text_report(results),
                HasSubstr("its process took 1.2 ms user and 300 us system time, 500 us a packet"));
    const TemporaryFolder folder;
    write_sqlite_report(results, folder.file("r.sqlite"));
    SQLite::Database database(folder.file("r.sqlite"));
    EXPECT_DOUBLE_EQ(database.execAndGet("SELECT cpu_system_s FROM logs WHERE role = 'sender'").getDouble(), 0.0003);
    EXPECT_EQ(database.execAndGet("SELECT voluntary_switches FROM logs WHERE role = 'sender'").getInt(), 12);
    EXPECT_TRUE(database.execAndGet("SELECT cpu_user_s FROM logs WHERE role = 'receiver'").isNull());
}

TEST(Cpu, IsNoCounterOfAFlow) {
    const Results results = with_cpu();
    EXPECT_FALSE(results.runs.front().flows.front().sent->counter("process_user_ns"));
    EXPECT_THAT(json_report(results), Not(HasSubstr("process_user_ns")));
}

}  // namespace
}  // namespace groma
