#include "common/shipping/shipper/key_logs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/log/file_sink.hpp"
#include "common/log/tee_sink.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::optional<Grant> key_with(std::string_view limits, std::string name = "lab") {
    return Grant{.name = std::move(name), .limits = parse_limits(limits)};
}

class KeyLogsTest : public testing::Test {
protected:
    std::unique_ptr<LogSink> open(const std::string& name,
                                  const std::optional<Grant>& key = key_with("log-bytes=1kB")) {
        return logs_.within_limits(open_file_sink(folder_.file(name), {}), folder_.file(name), key);
    }
    static std::string error_of_append(LogSink& log, std::size_t bytes) {
        try {
            log.append(std::vector<std::byte>(bytes));
        } catch (const RunError& error) {
            return error.what();
        }
        return {};
    }
    void write(const std::string& name, std::size_t bytes) {
        const auto log = open(name);
        EXPECT_EQ(error_of_append(*log, bytes), "");
        log->close();
    }

    TemporaryFolder folder_;
    KeyLogs logs_;
};

TEST_F(KeyLogsTest, ALogWithoutAKeyIsLeftAsItIs) {
    auto log = null_sink();
    const LogSink* const before = log.get();
    EXPECT_EQ(logs_.within_limits(std::move(log), {}, std::nullopt).get(), before);
}

TEST_F(KeyLogsTest, WhatAKeyWithoutALimitWritesCountsForAnotherOfItsName) {
    const auto unlimited = open("a.glog", key_with("flows=1,spool-bytes=1"));
    EXPECT_EQ(error_of_append(*unlimited, 5000), "");
    EXPECT_THAT(error_of_append(*open("b.glog"), 1), HasSubstr("of which 5 kB are used"));
}

TEST_F(KeyLogsTest, ALogWhoseNameAnotherKeyHasTakenIsTheOthers) {
    write("a.glog", 600);
    std::filesystem::remove(folder_.file("a.glog"));
    const auto of_another = open("a.glog", key_with("flows=1", "other"));
    EXPECT_EQ(error_of_append(*of_another, 1000), "");
    of_another->close();
    write("b.glog", 1000);
}

TEST_F(KeyLogsTest, ALogTakesAllThatItMayAndIsComplete) {
    const auto log = open("a.glog");
    EXPECT_EQ(error_of_append(*log, 600), "");
    EXPECT_EQ(error_of_append(*log, 400), "");
    log->close();
    EXPECT_EQ(std::filesystem::file_size(folder_.file("a.glog")), 1000U);
    EXPECT_THAT(log->describe(), HasSubstr("a.glog"));
}

TEST_F(KeyLogsTest, AfterAPieceThatDoesNotFitALogTakesNothingAndStaysIncomplete) {
    const auto log = open("a.glog");
    EXPECT_EQ(error_of_append(*log, 600), "");
    EXPECT_THAT(error_of_append(*log, 401), HasSubstr("the key 'lab' allows at most 1 kB of logs (log-bytes=1kB), of "
                                                      "which 600 B are used: whoever keeps the folder of keys there"));
    EXPECT_THAT(error_of_append(*log, 1), HasSubstr("log-bytes=1kB")) << "a gap would be in it";
    EXPECT_THROW(log->close(), RunError);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("a.glog")));
    EXPECT_EQ(std::filesystem::file_size(folder_.file("a.glog.part")), 600U);
}

TEST_F(KeyLogsTest, LogsUnderKeysOfOneNameShareItsLimit) {
    const auto first = open("a.glog");
    const auto second = open("b.glog");
    const auto of_another = open("c.glog", key_with("log-bytes=1kB", "other"));
    EXPECT_EQ(error_of_append(*first, 600), "");
    EXPECT_THAT(error_of_append(*second, 401), HasSubstr("of which 600 B are used"));
    EXPECT_EQ(error_of_append(*of_another, 1000), "");
    const auto third = open("d.glog", key_with("log-bytes=2kB"));
    EXPECT_EQ(error_of_append(*third, 1400), "") << "another key of that name with more";
}

TEST_F(KeyLogsTest, LogsCountAsLongAsTheyAreThere) {
    write("a.glog", 600);
    {
        const auto left = open("b.glog");
        EXPECT_EQ(error_of_append(*left, 300), "");
    }
    EXPECT_THAT(error_of_append(*open("c.glog"), 101), HasSubstr("of which 900 B are used")) << "one as its part";
    std::filesystem::remove(folder_.file("a.glog"));
    write("d.glog", 600);
    std::filesystem::rename(folder_.file("b.glog.part"), folder_.file("moved"));
    std::filesystem::remove(folder_.file("c.glog.part"));
    write("e.glog", 400);
    EXPECT_THAT(error_of_append(*open("f.glog"), 1), HasSubstr("of which 1 kB are used"));
}

TEST_F(KeyLogsTest, ALogThatIsReplacedCountsOnce) {
    write("a.glog", 400);
    {
        const auto next = logs_.within_limits(null_sink(), folder_.file("a.glog"), key_with("log-bytes=1kB"));
        EXPECT_EQ(error_of_append(*next, 500), "");
        std::ofstream(folder_.file("a.glog.part")) << std::string(500, 'x');
        EXPECT_THAT(error_of_append(*open("b.glog"), 101), HasSubstr("of which 900 B are used")) << "both are there";
        std::filesystem::rename(folder_.file("a.glog.part"), folder_.file("a.glog"));
    }
    EXPECT_EQ(error_of_append(*open("c.glog"), 500), "");
}

TEST_F(KeyLogsTest, WhatIsOnNoDiskHereCountsUntilItEnds) {
    {
        const auto shipped = logs_.within_limits(null_sink(), {}, key_with("log-bytes=1kB"));
        EXPECT_EQ(error_of_append(*shipped, 1000), "");
        EXPECT_THAT(error_of_append(*open("a.glog"), 1), HasSubstr("1 kB are used"));
    }
    EXPECT_EQ(error_of_append(*open("b.glog"), 1000), "");
}

}  // namespace
}  // namespace groma
