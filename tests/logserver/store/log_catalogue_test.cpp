#include "logserver/store/log_catalogue.hpp"

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/logserver/full_files.hpp"

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
    static void note_pieces(LogCatalogue& catalogue, std::int64_t id, std::uint64_t pieces) {
        const CatalogueUpdate update{id, LogState::writing, {}, pieces, pieces, 0};
        catalogue.apply(std::span(&update, 1), WallTime{}, Durability::machine);
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
    // As left by a killed server.
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

TEST_F(LogCatalogueTest, ThatSomebodyChangedLeadsToNoFileElsewhere) {
    for (const char* change : {"UPDATE logs SET name = '../../mine'", "UPDATE experiments SET name = '..'"}) {
        fs::remove(file());
        {
            LogCatalogue catalogue(folder_.path(), LogCatalogue::Access::write);
            (void)claim(catalogue);
        }
        SQLite::Database(file().string(), SQLite::OPEN_READWRITE).exec(change);
        EXPECT_THROW((void)LogCatalogue(folder_.path(), LogCatalogue::Access::read).all(), RunError) << change;
    }
}

TEST_F(LogCatalogueTest, CountsLogsByTheirState) {
    LogCatalogue catalogue(folder_.path(), LogCatalogue::Access::write);
    EXPECT_EQ(catalogue.logs_by_state(), LogsByState{});
    for (const auto& [name, state] : {std::pair("a", LogState::writing), std::pair("b", LogState::complete),
                                      std::pair("c", LogState::complete), std::pair("d", LogState::incomplete)}) {
        const CatalogueEntry entry = catalogue.claim({"games", name, "hosta", "token"}, WallTime{});
        const CatalogueUpdate update{entry.id, state, state == LogState::incomplete ? "cut" : "", 1, 1, 0};
        catalogue.apply(std::span(&update, 1), WallTime{}, Durability::process);
    }
    EXPECT_EQ(catalogue.logs_by_state(), (LogsByState{.writing = 1, .complete = 2, .incomplete = 1}));
}

TEST_F(LogCatalogueTest, GoesOnInTheRoomThatItHasWhenThereIsNoMore) {
    LogCatalogue catalogue(folder_.path(), LogCatalogue::Access::write);
    const CatalogueEntry entry = claim(catalogue);
    const FullFiles full(fs::file_size(file("-wal")));
    for (std::uint64_t pieces = 1; pieces <= 100; ++pieces) {
        note_pieces(catalogue, entry.id, pieces);
    }
    EXPECT_EQ(catalogue.find("games", "sender").value().pieces, 100U);
    EXPECT_TRUE(catalogue.forget(entry.id, true, [] {}));
}

TEST_F(LogCatalogueTest, KeepsRoomForItselfAndGivesItUpWhenThereIsNoMore) {
    constexpr std::uint64_t kMuch = 1ULL << 30U;
    LogCatalogue catalogue(folder_.path(), LogCatalogue::Access::write);
    const std::uint64_t room = catalogue.keep_room(kMuch);
    EXPECT_EQ(fs::file_size(file("-room")), room);
    EXPECT_EQ(mode("-room"), kOwners);
    EXPECT_EQ(catalogue.keep_room(kMuch), 0U) << "it is there already";
    const CatalogueEntry entry = claim(catalogue);
    {
        const FullFiles full(0);
        EXPECT_THROW(note_pieces(catalogue, entry.id, 1), RunError);
    }
    EXPECT_FALSE(fs::exists(file("-room")));
    EXPECT_EQ(catalogue.keep_room(room - 1), room) << "what is free is its own, but too little";
    EXPECT_FALSE(fs::exists(file("-room")));
    {
        const FullFiles full(0);
        EXPECT_EQ(catalogue.keep_room(kMuch), room) << "it cannot have it";
    }
    EXPECT_FALSE(fs::exists(file("-room")));
    EXPECT_EQ(catalogue.keep_room(room), room);
    EXPECT_EQ(fs::file_size(file("-room")), room);
    note_pieces(catalogue, entry.id, 1);
    EXPECT_EQ(catalogue.find("games", "sender").value().pieces, 1U);
}

TEST_F(LogCatalogueTest, OfTheVersionBeforeIsReadAsItIsAndRenewedByWhoWrites) {
    {
        LogCatalogue catalogue(folder_.path(), LogCatalogue::Access::write);
        static_cast<void>(claim(catalogue));
    }
    {
        SQLite::Database database(file().string(), SQLite::OPEN_READWRITE);
        database.exec("ALTER TABLE logs DROP COLUMN owner");
        database.exec("PRAGMA user_version = 2");
    }
    EXPECT_EQ(LogCatalogue(folder_.path(), LogCatalogue::Access::read).all().at(0).owner, "");
    EXPECT_EQ(LogCatalogue(folder_.path(), LogCatalogue::Access::read).of_experiment("games").size(), 1U);
    LogCatalogue renewed(folder_.path(), LogCatalogue::Access::write);
    LogClaim of_owner{"games", "receiver", "hostb", "token"};
    of_owner.owner = "lab";
    EXPECT_EQ(renewed.claim(of_owner, WallTime{}).owner, "lab");
    EXPECT_EQ(renewed.all().at(0).owner, "");
    EXPECT_EQ(SQLite::Database(file().string()).execAndGet("PRAGMA user_version").getInt(), 3);
}

}  // namespace
}  // namespace groma
