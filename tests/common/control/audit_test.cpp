#include "common/control/audit.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::int64_t kTime = 1'763'835'600'120'000'000;

TEST(AuditLine, SaysWhoFromWhereWhatAndWhy) {
    EXPECT_EQ(audit_line({.what = "session", .allowed = true, .from = "10.0.0.1:4711", .key = "lab", .subject = "voip"},
                         "groma-recv", wall_time_from_ns(kTime)),
              R"({"time":"2025-11-22T18:20:00.120Z","program":"groma-recv","what":"session","verdict":"allowed",)"
              R"("from":"10.0.0.1:4711","key":"lab","subject":"voip"})");
    EXPECT_EQ(audit_line({.what = "connection", .from = "10.0.0.9:1", .why = "it has no key"}, "groma-log",
                         wall_time_from_ns(-1'000'000), 7),
              R"({"time":"1969-12-31T23:59:59.999Z","program":"groma-log","what":"connection","verdict":"refused",)"
              R"("from":"10.0.0.9:1","why":"it has no key","left_out":7})");
}

TEST(AuditLine, IsOneShortLineWhateverThePeerSays) {
    const std::string line = audit_line(
        {.what = "log", .from = "a", .subject = "two\nlines \x1b[2J \" }", .why = std::string(100'000, 'x') + "\xff"},
        "groma-log", wall_time_from_ns(kTime));
    EXPECT_THAT(line, Not(HasSubstr("\n")));
    EXPECT_THAT(line, Not(HasSubstr("\x1b")));
    EXPECT_LT(line.size(), 1000U);
}

class AuditFileTest : public ::testing::Test {
protected:
    [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "audit.jsonl"; }
    AuditFile open(const std::filesystem::path& path) {
        return {path, "groma-recv", clock_, [this](const std::string& line) { said_.push_back(line); }};
    }

    TemporaryFolder folder_;
    ManualClock clock_;
    std::vector<std::string> said_;
};

TEST_F(AuditFileTest, GetsALineMoreEachTimeAndIsItsOwnersAlone) {
    {
        AuditFile audit = open(file());
        audit.write({.what = "run", .allowed = true, .from = "a"});
    }
    std::optional<AuditFile> again(std::in_place, file(), "groma-recv", clock_, [](const std::string&) {});
    audit_to(again)({.what = "run", .from = "b", .why = "no"});
    const std::string text = content_of(file());
    EXPECT_EQ(std::ranges::count(text, '\n'), 2);
    EXPECT_THAT(text, HasSubstr(R"("verdict":"refused","from":"b","why":"no"})"));
    EXPECT_EQ(std::filesystem::status(file()).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::optional<AuditFile> none;
    EXPECT_FALSE(audit_to(none));
}

TEST_F(AuditFileTest, IsNotWrittenThroughALinkNorWhereThereIsNoFolder) {
    std::filesystem::create_symlink(folder_.path() / "elsewhere", file());
    EXPECT_THROW(open(file()), SystemError);
    EXPECT_THROW(open(folder_.path() / "no" / "audit"), SystemError);
}

TEST_F(AuditFileTest, ThatCannotBeWrittenIsToldOnceAndEndsNothing) {
    AuditFile audit = open("/dev/full");
    audit.write({.what = "run", .from = "a"});
    audit.write({.what = "run", .from = "a"});
    ASSERT_THAT(said_, SizeIs(1));
    EXPECT_THAT(said_.front(), HasSubstr("the audit cannot be written to /dev/full"));
}

TEST_F(AuditFileTest, HasALineASecondOfTheRefusalsOfAHost) {
    AuditFile audit = open(file());
    for (int i = 0; i < 1000; ++i) {
        audit.write({.what = "connection", .from = "10.0.0.9:" + std::to_string(i), .why = "it has no key"});
        audit.write({.what = "session", .from = "10.0.0.9:4711", .key = "lab", .why = "no role"});
        audit.write({.what = "session", .allowed = true, .from = "10.0.0.9:4711", .key = "lab"});
    }
    clock_.advance(std::chrono::seconds(1));
    audit.write({.what = "connection", .from = "10.0.0.9:1", .why = "it has no key"});
    const std::string text = content_of(file());
    EXPECT_EQ(std::ranges::count(text, '\n'), 1003);
    EXPECT_THAT(text, HasSubstr(R"("why":"it has no key","left_out":999})"));
}

TEST(LinesOfSources, LetOneOfEachSourcePassASecond) {
    LinesOfSources lines;
    const MonoTime begin{};
    EXPECT_EQ(lines.may("a", begin), 0U);
    EXPECT_EQ(lines.may("a", begin), std::nullopt);
    EXPECT_EQ(lines.may("a", begin + std::chrono::milliseconds(999)), std::nullopt);
    EXPECT_EQ(lines.may("b", begin), 0U);
    EXPECT_EQ(lines.may("a", begin + std::chrono::seconds(1)), 2U);
    EXPECT_EQ(lines.may("a", begin + std::chrono::seconds(2)), 0U);
}

TEST(RefusalLines, AreOneASecondForEachHostAndSayHowManyHadNone) {
    using namespace std::chrono_literals;
    RefusalLines lines;
    const auto told = [&lines](const std::string& host, const std::string& line, MonoTime now) {
        std::string one;
        lines.tell([&one](const std::string& said) { one = said; }, host, line, now);
        return one;
    };
    const MonoTime begin{};
    EXPECT_EQ(told("10.0.0.1", "10.0.0.1:7: refused: x", begin), "10.0.0.1:7: refused: x");
    EXPECT_EQ(told("10.0.0.1", "10.0.0.1:8: refused: x", begin + 1ms), "");
    EXPECT_EQ(told("10.0.0.1", "10.0.0.1:9: refused: x", begin + 999ms), "");
    EXPECT_EQ(told("10.0.0.2", "10.0.0.2:7: refused: x", begin + 999ms), "10.0.0.2:7: refused: x");
    EXPECT_EQ(told("10.0.0.1", "10.0.0.1:10: refused: y", begin + 1s),
              "10.0.0.1:10: refused: y (2 refusals of 10.0.0.1 before it have no line)");
    EXPECT_EQ(told("10.0.0.1", "10.0.0.1:11: refused: y", begin + 2s), "10.0.0.1:11: refused: y");
    EXPECT_EQ(told("10.0.0.1", "10.0.0.1:12: refused: y", begin + 2s + 1ms), "");
    EXPECT_EQ(told("10.0.0.1", "10.0.0.1:13: refused: y", begin + 3s),
              "10.0.0.1:13: refused: y (1 refusal of 10.0.0.1 before it has no line)");
}

TEST(LinesOfSources, AreBoundedInNumber) {
    LinesOfSources lines;
    const MonoTime begin{};
    int passed = 0;
    for (int source = 0; source < 500; ++source) {
        passed += lines.may(std::to_string(source), begin) ? 1 : 0;
    }
    EXPECT_EQ(passed, 64);
    EXPECT_TRUE(lines.may("late", begin + std::chrono::seconds(1)));
}

}  // namespace
}  // namespace groma
