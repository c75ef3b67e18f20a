#include "joint/part_logs.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "common/base/errors.hpp"
#include "common/log/running_hash.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A log of two sections: the second has three bytes.
RunLogSection piece(std::uint32_t log, const std::string& name, bool second = false) {
    std::vector<std::byte> all(kLogSectionBytes + 3, std::byte{'g'});
    const auto end = second ? all.size() : kLogSectionBytes;
    RunningHash hash;
    hash.add(std::span(all).first(end));
    RunLogSection made{.log = log, .name = name};
    made.section = {.offset = second ? kLogSectionBytes : 0, .log_bytes = all.size(), .hash = hash.value()};
    made.section.bytes.assign(all.begin() + static_cast<std::ptrdiff_t>(made.section.offset),
                              all.begin() + static_cast<std::ptrdiff_t>(end));
    return made;
}

class PartLogsTest : public ::testing::Test {
protected:
    PartLogsTest() {
        report_.flows.emplace_back();
        report_.receivers = {{.address = "10.0.0.2:9000", .log_file = "/there/a.glog"},
                             {.address = "10.0.0.3:9000", .log_file = "/there/b.glog"}};
        report_.remote_logs = {{.name = "its log"}};
    }

    void take_whole(std::uint32_t log, const std::string& name) {
        logs_.take(piece(log, name), report_);
        logs_.take(piece(log, name, true), report_);
    }
    void note(const std::string& why) {
        logs_.finish(false);
        logs_.note(report_, why);
    }
    [[nodiscard]] std::string refusal(const RunLogSection& log) {
        try {
            logs_.take(log, report_);
        } catch (const RunError& error) {
            return error.what();
        }
        return "accepted";
    }
    [[nodiscard]] std::set<std::string> files() const {
        std::set<std::string> names;
        for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
            names.insert(file.path().filename());
        }
        return names;
    }

    TemporaryFolder folder_;
    SendReport report_;
    PartLogs logs_{folder_.path(), {.own = "send-alpha.glog", .receivers = "recv-from-alpha.glog"}};
};

TEST_F(PartLogsTest, AnEmptyFileSaysThatALogIsElsewhere) {
    logs_.finish(false);
    EXPECT_EQ(files(), std::set<std::string>());
    logs_.finish(true);
    EXPECT_EQ(files(), std::set<std::string>{"send-alpha.glog.part"});
}

TEST_F(PartLogsTest, GetTheirNamesWhenTheyAreWhole) {
    take_whole(0, "send-alpha.glog");
    logs_.take(piece(1, "recv-from-alpha-10.0.0.2.glog"), report_);
    take_whole(2, "recv-from-alpha-10.0.0.3.glog");
    logs_.take(piece(1, "recv-from-alpha-10.0.0.2.glog", true), report_);
    note("");
    EXPECT_THAT(files(),
                ElementsAre("recv-from-alpha-10.0.0.2.glog", "recv-from-alpha-10.0.0.3.glog", "send-alpha.glog"));
    EXPECT_EQ(report_.remote_logs.back().name, folder_.file("send-alpha.glog"));
    EXPECT_THAT(report_.remote_logs.back().error, IsEmpty());
    EXPECT_EQ(report_.receivers[1].log_file, folder_.file("recv-from-alpha-10.0.0.3.glog"));
    EXPECT_THAT(report_.receivers[1].log_error, IsEmpty());
}

TEST_F(PartLogsTest, OfAHostThatIsGoneAreNamedAsNotWhole) {
    logs_.take(piece(0, "send-alpha.glog"), report_);
    logs_.take(RunLogLost{.log = 1, .reason = "its session ended before"}, report_);
    note("alpha: closed the connection");
    EXPECT_THAT(files(), ElementsAre("send-alpha.glog.part"));
    EXPECT_THAT(report_.remote_logs.back().error,
                AllOf(HasSubstr("its first 524.3 kB are in " + folder_.file("send-alpha.glog.part")),
                      HasSubstr("alpha: closed the connection")));
    EXPECT_EQ(report_.receivers[0].log_error, "its session ended before");
    EXPECT_THAT(report_.receivers[1].log_error,
                AllOf(HasSubstr("it was not fetched, and is /there/b.glog"), HasSubstr("alpha: closed")));
}

TEST_F(PartLogsTest, OfASenderWhoseLogFailedStayPartsHoweverMuchComes) {
    report_.remote_logs.back().error = "the disk was full";
    take_whole(0, "send-alpha.glog");
    note("");
    EXPECT_THAT(files(), ElementsAre("send-alpha.glog.part"));
    EXPECT_THAT(report_.remote_logs.back().error, HasSubstr("the disk was full"));
}

TEST_F(PartLogsTest, HaveTheNamesThatWereAskedForAndNoOther) {
    for (const auto& [log, name] :
         std::initializer_list<std::pair<std::uint32_t, const char*>>{{0, "send-beta.glog"},
                                                                      {0, "recv-from-alpha.glog"},
                                                                      {1, "send-alpha.glog"},
                                                                      {1, "recv-from-alpha-/../../x.glog"},
                                                                      {1, "recv-from-alphabet.glog"},
                                                                      {1, "recv-from-alpha-\x1b[2J.glog"},
                                                                      {1, "recv-from-alpha-x.part"},
                                                                      {1, "recv-from-alpha"},
                                                                      {1, "recv-from-alp"}}) {
        EXPECT_THAT(refusal(piece(log, name)), HasSubstr("a name that was not asked for")) << name;
    }
    EXPECT_THAT(refusal(piece(3, "recv-from-alpha-x.glog")), HasSubstr("a log of receiver 3 came, of 2"));
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(PartLogsTest, WriteOverNothing) {
    std::ofstream(folder_.file("send-alpha.glog")) << "another's";
    logs_.take(piece(0, "send-alpha.glog"), report_);
    note("");
    EXPECT_THAT(report_.remote_logs.back().error, HasSubstr("send-alpha.glog"));
    std::ifstream kept(folder_.file("send-alpha.glog"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "another's");
}

TEST_F(PartLogsTest, ThatCannotBeWrittenHereAreStillWhereTheyWere) {
    std::ofstream(folder_.file("recv-from-alpha-10.0.0.2.glog")) << "another's";
    take_whole(1, "recv-from-alpha-10.0.0.2.glog");
    note("");
    EXPECT_THAT(report_.receivers[0].log_error, AllOf(HasSubstr("it was not fetched, and is /there/a.glog"),
                                                      HasSubstr("recv-from-alpha-10.0.0.2.glog")));
}

TEST_F(PartLogsTest, ThatWereChangedOnTheWayAreNotTaken) {
    RunLogSection changed = piece(0, "send-alpha.glog");
    changed.section.bytes.front() = std::byte{0};
    logs_.take(changed, report_);
    note("");
    EXPECT_THAT(report_.remote_logs.back().error,
                AllOf(HasSubstr("nothing came of it"), HasSubstr("does not have the hash")));
}

}  // namespace
}  // namespace groma
