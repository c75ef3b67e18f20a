#include "common/os/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "common/base/errors.hpp"

namespace groma {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

TEST(TemporaryFolder, IsThereAndEmptyAndTheUsersOwn) {
    const TemporaryFolder folder("groma-some");
    EXPECT_TRUE(fs::is_directory(folder.path()));
    EXPECT_TRUE(fs::is_empty(folder.path()));
    EXPECT_EQ(folder.path().parent_path(), fs::temp_directory_path());
    EXPECT_THAT(folder.path().filename().string(), StartsWith("groma-some-"));
    EXPECT_EQ(fs::status(folder.path()).permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::path(folder.file("a.glog")), folder.path() / "a.glog");
}

TEST(TemporaryFolder, IsNotThatOfAnother) {
    const TemporaryFolder one;
    const TemporaryFolder other;
    EXPECT_NE(one.path(), other.path());
}

TEST(TemporaryFolder, GoesWithAllThatIsInIt) {
    fs::path path;
    {
        const TemporaryFolder folder;
        path = folder.path();
        fs::create_directories(path / "a" / "b");
        std::ofstream(path / "a" / "b" / "c") << "text";
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, SaysWhereNoneCanBeMade) {
    try {
        const TemporaryFolder folder("no/such");
        FAIL() << "made " << folder.path();
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("make the folder "));
        EXPECT_THAT(error.what(), testing::HasSubstr("no/such-"));
    }
}

}  // namespace
}  // namespace groma
