#include "common/sqlite/figure_rows.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "common/figures/figure_json.hpp"

namespace groma {
namespace {

struct Sample {
    std::uint64_t packets = 7;
    std::int32_t change = -3;
    double rate = 0.5;
    std::string name = "it's";
    bool met = true;
    Nanos delay{1500};
    WallTime at = wall_time_from_ns(42);
    std::optional<double> unknown{};
};

const FigureTable<Sample>& sample_table() {
    static const FigureTable<Sample> kTable =
        FigureTable<Sample>()
            .add("packets", "how many", &Sample::packets)
            .add("change", "by how many", &Sample::change)
            .add("rate", "how often", &Sample::rate)
            .add("name", "what it is called", &Sample::name)
            .add("met", "whether", &Sample::met)
            .add("delay_ns", "how long", &Sample::delay)
            .add("at_ns", "when", &Sample::at)
            .add("unknown", "nobody knows", &Sample::unknown)
            .add("twice", "of a function", [](const Sample& it) { return 2 * it.packets; });
    return kTable;
}

TEST(Figures, AreFieldsOfAnObjectInTheirOrder) {
    EXPECT_EQ(figures_json(sample_table(), Sample()).dump(),
              R"({"packets":7,"change":-3,"rate":0.5,"name":"it's","met":true,"delay_ns":1500,"at_ns":42,)"
              R"("unknown":null,"twice":14})");
    EXPECT_EQ(rows_json(sample_table(), std::vector<Sample>(3)).size(), 3U);
}

struct Whole {
    std::optional<Sample> part{};
};

TEST(Figures, OfAPartAreUnknownWhereThereIsNone) {
    const auto table = FigureTable<Whole>().add_all(sample_table(), &Whole::part, "part_");
    const Figure<Whole>* packets = table.find("part_packets");
    ASSERT_NE(packets, nullptr);
    EXPECT_EQ(number_of(packets->of({Sample()})), 7);
    EXPECT_EQ(number_of(packets->of({})), std::nullopt);
    EXPECT_EQ(table.find("packets"), nullptr);
}

TEST(Figures, AreColumnsOfTheirTypes) {
    EXPECT_EQ(column_definitions(sample_table()),
              R"(, "packets" INTEGER, "change" INTEGER, "rate" REAL, "name" TEXT, "met" INTEGER, "delay_ns" INTEGER, )"
              R"("at_ns" INTEGER, "unknown" REAL, "twice" INTEGER)");
}

TEST(Figures, AreInTheirColumnsOfARow) {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("CREATE TABLE samples(run INTEGER" + column_definitions(sample_table()) + ")");
    FigureRows rows(database, "samples", {"run"}, sample_table());
    rows.add({}, 1);
    rows.add({.packets = std::numeric_limits<std::uint64_t>::max(), .unknown = 2.5}, 2);
    const auto one = [&](const std::string& column, int run) {
        return database.execAndGet("SELECT " + column + " FROM samples WHERE run = " + std::to_string(run));
    };
    EXPECT_EQ(one("packets", 1).getInt64(), 7);
    EXPECT_EQ(one("change", 1).getInt64(), -3);
    EXPECT_EQ(one("name", 1).getString(), "it's");
    EXPECT_EQ(one("met", 1).getInt(), 1);
    EXPECT_EQ(one("delay_ns", 1).getInt64(), 1500);
    EXPECT_TRUE(one("unknown", 1).isNull());
    EXPECT_EQ(one("twice", 1).getInt64(), 14);
    EXPECT_EQ(one("packets", 2).getInt64(), -1);  // SQLite has 64 bits with a sign: so are seeds kept
    EXPECT_EQ(one("unknown", 2).getDouble(), 2.5);
}

}  // namespace
}  // namespace groma
