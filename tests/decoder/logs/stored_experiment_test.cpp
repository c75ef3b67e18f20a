#include "decoder/logs/stored_experiment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Names = std::set<std::string>;

/// The listings of a folder, one after the other; the last one stays.
std::vector<std::string> logs_of(std::vector<Names> looks) {
    std::size_t look = 0;
    return settled_logs([&] { return looks[std::min(look++, looks.size() - 1)]; });
}

void make_file(const std::string& name) {
    std::ofstream(name) << '.';
}

TEST(StoredExperiment, ItsLogsAreThoseByNameInOrder) {
    EXPECT_THAT(logs_of({{"b.glog", "a.glog.part", "notes.txt", "c.glog.old", "glog.part"}}),
                ElementsAre("a.glog.part", "b.glog"));
    EXPECT_THAT(logs_of({{}}), IsEmpty());
}

TEST(StoredExperiment, ALogThatGetsItsNameWhileTheFolderIsReadIsThereOnce) {
    const Names before{"a.glog", "x.glog.part"};
    const Names after{"a.glog", "x.glog"};
    for (const Names& between : {Names{"a.glog"}, Names{"a.glog", "x.glog", "x.glog.part"}}) {
        EXPECT_THAT(logs_of({between, after}), ElementsAre("a.glog", "x.glog"));
        EXPECT_THAT(logs_of({before, between, after}), ElementsAre("a.glog", "x.glog"));
    }
    EXPECT_THAT(logs_of({before, before, after}), ElementsAre("a.glog", "x.glog.part"));
}

TEST(StoredExperiment, AFolderThatNeverSettlesIsNotLookedAtForever) {
    int looks = 0;
    const auto logs = settled_logs([&] { return Names{std::to_string(++looks) + ".glog"}; });
    EXPECT_EQ(looks, kMostLooks);
    EXPECT_EQ(logs.size(), 1U);
}

TEST(StoredExperiment, APartThatGotItsNameMeanwhileIsNoSecondLog) {
    const TemporaryFolder folder;
    make_file(folder.file("x.glog"));
    make_file(folder.file("y.glog"));
    make_file(folder.file("y.glog.part"));
    std::vector<std::string> logs{folder.file("x.glog.part"), folder.file("x.glog"), folder.file("y.glog.part"),
                                  folder.file("y.glog"), folder.file("z.glog.part")};
    EXPECT_THAT(put_logs_in_place_of_folders(logs), IsEmpty());
    EXPECT_THAT(logs, ElementsAre(folder.file("x.glog"), folder.file("y.glog.part"), folder.file("y.glog"),
                                  folder.file("z.glog.part")));
}

TEST(StoredExperiment, AFolderStandsForItsLogsAndSaysWhichAreIncomplete) {
    const TemporaryFolder folder;
    make_file(folder.file("b.glog"));
    make_file(folder.file("a.glog.part"));
    std::vector<std::string> logs{folder.path().string()};
    EXPECT_THAT(put_logs_in_place_of_folders(logs), ElementsAre(folder.file("a.glog.part") + " is incomplete"));
    EXPECT_THAT(logs, ElementsAre(folder.file("a.glog.part"), folder.file("b.glog")));
}

TEST(StoredExperiment, AnEmptyPartBesideOtherLogsIsLeftOut) {
    const TemporaryFolder folder;
    std::ofstream{folder.file("recv.glog.part")};
    std::vector<std::string> logs{folder.path().string()};
    EXPECT_THAT(put_logs_in_place_of_folders(logs), ElementsAre(HasSubstr("recv.glog.part is incomplete")));
    EXPECT_THAT(logs, ElementsAre(folder.file("recv.glog.part")));
    make_file(folder.file("send.glog.part"));
    logs = {folder.path().string()};
    EXPECT_THAT(put_logs_in_place_of_folders(logs), ElementsAre(HasSubstr("recv.glog.part is empty, and left out"),
                                                                HasSubstr("send.glog.part is incomplete")));
    EXPECT_THAT(logs, ElementsAre(folder.file("send.glog.part")));
}

TEST(StoredExperiment, AFolderWithoutLogsIsRefused) {
    const TemporaryFolder folder;
    EXPECT_THROW(static_cast<void>(open_stored_experiment(folder.path())), UsageError);
}

}  // namespace
}  // namespace groma
