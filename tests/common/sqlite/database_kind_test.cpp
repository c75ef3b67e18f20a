#include "common/sqlite/database_kind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

constexpr DatabaseKind kSampleDatabase{0x67726f79, 1, "a sample", "make it again"};

/// A table's place is taken by a view, whose rows are made by this expression.
std::string read_from_view(const std::string& expression) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "sample.sqlite";
    {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        mark_database(database, kSampleDatabase);
        database.exec("CREATE VIEW points AS SELECT " + expression + " AS value");
    }
    try {
        return read_database(file, kSampleDatabase, [](SQLite::Database& database) {
            return database.execAndGet("SELECT value FROM points").getString();
        });
    } catch (const RunError& error) {
        return error.what();
    }
}

TEST(DatabaseKind, AViewInAFileOfSomebodyElseMayOnlyCompute) {
    EXPECT_EQ(read_from_view("1 + 1"), "2");
    EXPECT_THAT(read_from_view("load_extension('/nowhere/groma')"), HasSubstr("unsafe use of load_extension()"));
}

TEST(DatabaseKind, IsKnownWithoutTrust) {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    distrust(database);
    EXPECT_EQ(database.execAndGet("PRAGMA trusted_schema").getInt(), 0);
    EXPECT_EQ(database.execAndGet("PRAGMA cell_size_check").getInt(), 1);
    mark_database(database, kSampleDatabase);
    EXPECT_TRUE(is_of_kind(database, kSampleDatabase));
    EXPECT_FALSE(is_of_kind(database, kResultsDatabase));
}

}  // namespace
}  // namespace groma
