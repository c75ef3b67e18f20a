#include "logserver/log_catalogue.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

namespace fs = std::filesystem;

class Umask {
public:
    explicit Umask(mode_t mask) : before_(::umask(mask)) {}
    Umask(const Umask&) = delete;
    Umask& operator=(const Umask&) = delete;
    ~Umask() { ::umask(before_); }

private:
    mode_t before_;
};

class LogCatalogueTest : public testing::Test {
protected:
    [[nodiscard]] fs::path file(const std::string& companion = "") const {
        return folder_.path() / ("catalogue.sqlite" + companion);
    }
    [[nodiscard]] fs::perms mode(const std::string& companion = "") const {
        return fs::status(file(companion)).permissions();
    }
    static CatalogueEntry claim(LogCatalogue& catalogue) {
        return catalogue.claim({"games", "sender", "hosta", "token"}, WallTime{});
    }

    static constexpr fs::perms kOwners = fs::perms::owner_read | fs::perms::owner_write;
    static constexpr fs::perms kEverybodys = kOwners | fs::perms::group_read | fs::perms::others_read;

    TemporaryFolder folder_;
};

TEST_F(LogCatalogueTest, IsItsOwnersAloneWhateverTheUmask) {
    const Umask open_to_all(0);
    LogCatalogue catalogue(folder_.path(), LogCatalogue::Access::write);
    (void)claim(catalogue);
    for (const char* companion : {"", "-wal", "-shm"}) {
        EXPECT_EQ(mode(companion), kOwners) << companion;
    }
}

TEST_F(LogCatalogueTest, IsTakenFromOthersWhoCouldReadIt) {
    // What a server leaves that is killed.
    LogCatalogue killed(folder_.path(), LogCatalogue::Access::write);
    const CatalogueEntry entry = claim(killed);
    for (const char* companion : {"", "-wal", "-shm"}) {
        fs::permissions(file(companion), kEverybodys);
    }
    const LogCatalogue next(folder_.path(), LogCatalogue::Access::write);
    EXPECT_EQ(next.find("games", "sender").value().id, entry.id);
    for (const char* companion : {"", "-wal", "-shm"}) {
        EXPECT_EQ(mode(companion), kOwners) << companion;
    }
}

TEST_F(LogCatalogueTest, StaysReadableForAGroupThatItsOwnerGaveItTo) {
    constexpr fs::perms kGroups = kOwners | fs::perms::group_read;
    (void)LogCatalogue(folder_.path(), LogCatalogue::Access::write);
    fs::permissions(file(), kGroups);
    LogCatalogue catalogue(folder_.path(), LogCatalogue::Access::write);
    (void)claim(catalogue);
    EXPECT_EQ(mode(), kGroups);
    EXPECT_EQ(mode("-wal"), kGroups);
}

}  // namespace
}  // namespace groma
