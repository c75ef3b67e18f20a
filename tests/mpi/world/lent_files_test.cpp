#include "mpi/world/lent_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using testing::ElementsAre;

class LentFiles : public testing::Test {
protected:
    LentFiles() {
        put("logs/a.glog", "12345");
        put("logs/notes.txt", "private");
        put("log-server/run-1/b.glog.part", "678");
        put("log-server/catalogue.sqlite", "c");
        put("report.json", "{}");
    }

    void put(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_.path() / name).parent_path());
        std::ofstream(folder_.path() / name) << text;
    }

    TemporaryFolder folder_;
};

TEST_F(LentFiles, AreLogsAndTheCatalogueAndNothingElse) {
    EXPECT_THAT(files_to_lend(folder_.path()),
                ElementsAre(LentFile{"log-server/catalogue.sqlite", 1}, LentFile{"log-server/run-1/b.glog.part", 3},
                            LentFile{"logs/a.glog", 5}));
}

TEST_F(LentFiles, AreReadInPieces) {
    EXPECT_THAT(read_lent(folder_.path(), "logs/a.glog", 3), ElementsAre('4', '5'));
    EXPECT_TRUE(read_lent(folder_.path(), "logs/a.glog", 5).empty());
    EXPECT_THROW((void)read_lent(folder_.path(), "logs/missing.glog", 0), SystemError);
}

TEST_F(LentFiles, ArriveAsTheyWere) {
    const auto there = folder_.path() / "fetched";
    write_fetched(there, "log-server/run-1/b.glog.part", 0, {'6', '7'});
    write_fetched(there, "log-server/run-1/b.glog.part", 2, {'8'});
    EXPECT_THAT(read_lent(there, "log-server/run-1/b.glog.part", 0), ElementsAre('6', '7', '8'));
}

TEST_F(LentFiles, NamesThatLeadElsewhereAreRefused) {
    for (const std::string& name :
         std::vector<std::string>{"", "/etc/a.glog", "../a.glog", "logs/../../a.glog", "logs/.x.glog", "logs/notes.txt",
                                  "report.json", "logs", "a.glog", "logs/a/b/c.glog", std::string("logs/a\0.glog", 12),
                                  "logs/" + std::string(1000, 'x') + ".glog"}) {
        EXPECT_THROW((void)read_lent(folder_.path(), name, 0), UsageError) << name;
        EXPECT_THROW(write_fetched(folder_.path(), name, 0, {1}), UsageError) << name;
    }
}

}  // namespace
}  // namespace groma
