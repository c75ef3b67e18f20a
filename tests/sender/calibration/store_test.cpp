#include "sender/calibration/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/sqlite/database_kind.hpp"
#include "sender/calibration/schema.hpp"
#include "tests/files.hpp"
#include "tests/sender/calibration/sample_calibration.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

constexpr Point kPoint{PointKind::sweep, {GapFamily::exponential, 64, LoggingWay::local}, 1234.5678, 2};

TEST(CalibrationStore, GivesBackWhatItWasGivenAfterItWasOpenedAgain) {
    const CalibrationFolder folder;
    PointResult result = measured(kPoint);
    result.failures = "'quoted'";
    result.figures["rate_error"] = 1.0 / 3;
    {
        CalibrationStore store(folder.database());
        EXPECT_FALSE(store.figures(kPoint));
        store.add(result);
        store.keep_facts("sender", {{"kernel", "Linux"}});
    }
    const CalibrationStore store(folder.database());
    EXPECT_EQ(store.figures(kPoint), result.figures);
    EXPECT_THAT(store.results(), testing::ElementsAre(result));
    EXPECT_EQ(store.facts("sender"), (Facts{{"kernel", "Linux"}}));
    EXPECT_EQ(store.facts("receiver"), Facts{});
}

TEST(CalibrationStore, TellsPointsApartByEveryPartOfTheirName) {
    const CalibrationFolder folder;
    CalibrationStore store(folder.database());
    store.add(measured(kPoint));
    for (const Point& other :
         {Point{PointKind::search, kPoint.series, kPoint.rate_pps, kPoint.repetition},
          Point{PointKind::sweep, {GapFamily::constant, 64, LoggingWay::local}, 1234.5678, 2},
          Point{PointKind::sweep, {GapFamily::exponential, 65, LoggingWay::local}, 1234.5678, 2},
          Point{PointKind::sweep, {GapFamily::exponential, 64, LoggingWay::off}, 1234.5678, 2},
          Point{PointKind::sweep, kPoint.series, 1234.5679, 2}, Point{PointKind::sweep, kPoint.series, 1234.5678, 1}}) {
        EXPECT_FALSE(store.figures(other));
    }
    EXPECT_THROW(store.add(measured(kPoint)), RunError);
    EXPECT_EQ(store.results().size(), 1U);
}

TEST(CalibrationStore, RefusesTimesThatNoPointTakes) {
    for (const char* took : {"-1", "9223372036854775807"}) {
        const CalibrationFolder folder;
        CalibrationStore store(folder.database());
        store.add(measured(kPoint));
        SQLite::Database(folder.database().string(), SQLite::OPEN_READWRITE)
            .exec("UPDATE points SET took_ns = " + std::string(took));
        try {
            (void)store.results();
            ADD_FAILURE() << took;
        } catch (const RunError& error) {
            EXPECT_THAT(error.what(), HasSubstr("calibration.db: no point takes " + std::string(took)));
        }
    }
}

TEST(CalibrationStore, KeepsGapsWithTheirPoint) {
    const CalibrationFolder folder;
    PointResult result = measured(kPoint);
    result.gaps = {{0, 10, 3, 0.25}, {10, std::nullopt, 1, 0.75}};
    CalibrationStore(folder.database()).add(result);
    SQLite::Database database(folder.database().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM gaps JOIN points ON points.id = gaps.point").getInt(), 2);
    EXPECT_EQ(database.execAndGet("SELECT count FROM gaps WHERE high_ns IS NULL").getInt(), 1);
    EXPECT_EQ(database.execAndGet("SELECT high_ns FROM gaps WHERE low_ns = 0").getDouble(), 10);
}

TEST(CalibrationStore, ReplacesFactsAndLimits) {
    const CalibrationFolder folder;
    CalibrationStore store(folder.database());
    store.keep_facts("sender", {{"kernel", "Linux"}, {"cpu", "one"}});
    store.keep_facts("sender", {{"cpu", "two"}});
    EXPECT_EQ(store.facts("sender"), (Facts{{"cpu", "two"}}));
    const Search search{kPoint.series, 0.001};
    store.keep_limits({{search, 1000, 2000}});
    store.keep_limits({{search, std::nullopt, 500}});
    SQLite::Database database(folder.database().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(database.execAndGet("SELECT COUNT(*) FROM limits").getInt(), 1);
    EXPECT_TRUE(database.execAndGet("SELECT kept_pps FROM limits").isNull());
    EXPECT_EQ(database.execAndGet("SELECT not_kept_pps FROM limits").getDouble(), 500);
}

TEST(CalibrationStore, SaysWhatItIs) {
    const CalibrationFolder folder;
    const CalibrationStore store(folder.database());
    SQLite::Database database(folder.database().string(), SQLite::OPEN_READONLY);
    EXPECT_EQ(database.execAndGet("PRAGMA application_id").getInt(), kCalibrationDatabase.application_id);
    EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), kCalibrationDatabase.version);
}

std::string refusal(const std::filesystem::path& file) {
    try {
        const CalibrationStore store(file);
    } catch (const RunError& error) {
        return error.what();
    }
    return {};
}

TEST(CalibrationStore, RefusesOtherFilesWithWords) {
    const CalibrationFolder folder;
    std::ofstream(folder.path() / "text") << "these are no tables, but some lines of text that somebody wrote\n";
    EXPECT_THAT(refusal(folder.path() / "text"), HasSubstr("not a database"));
    SQLite::Database((folder.path() / "other").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE mine(value)");
    EXPECT_THAT(refusal(folder.path() / "other"), HasSubstr("it is not a calibration"));
    EXPECT_EQ(refusal(folder.path() / "old"), "");
    SQLite::Database((folder.path() / "old").string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
    EXPECT_THAT(refusal(folder.path() / "old"), HasSubstr("of another version (99)"));
    EXPECT_THAT(refusal(folder.path() / "missing" / "file"), HasSubstr("cannot open the calibration"));
}

TEST(CalibrationStore, DoesNotGoOnWithAnOlderVersionOfItsTables) {
    const CalibrationFolder folder;
    SQLite::Database(folder.database().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec(
            "PRAGMA application_id = 0x67726d63; PRAGMA user_version = 2;"
            "CREATE TABLE points(id INTEGER PRIMARY KEY, kind TEXT, packets INTEGER);"
            "INSERT INTO points VALUES(1, 'sweep', 2000)");
    const std::string before = content_of(folder.database());
    EXPECT_THAT(refusal(folder.database()),
                HasSubstr("of another version (2): name another folder with --out, or use the release that made it"));
    EXPECT_EQ(content_of(folder.database()), before);
}

}  // namespace
}  // namespace groma
