#include "plots/gnuplot/data_blocks.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(DataBlocks, HaveNamesOfTheirOwnBehindWhatTheScriptHas) {
    std::string script = "set style\n";
    DataBlocks blocks(script);
    EXPECT_EQ(blocks.add(std::vector<BandPoint>{{1, 2, 3}}), "$d0");
    EXPECT_EQ(blocks.add(std::vector<BandPoint>{{4, 5.5, 1e-9}}), "$d1");
    EXPECT_EQ(script, "set style\n$d0 << EOD\n1 2 3\nEOD\n$d1 << EOD\n4 5.5 1e-09\nEOD\n");
}

TEST(DataBlocks, PartPiecesThatAreNotConnected) {
    std::string script;
    DataBlocks blocks(script);
    EXPECT_EQ(blocks.add(Curve{.name = "c", .pieces = {{{1, 2}, {3, 4}}, {{5, 6}}}}), "$d0");
    EXPECT_EQ(blocks.add(Band{.name = "b", .pieces = {{{1, 2, 3}}, {{4, 5, 6}}}}), "$d1");
    EXPECT_EQ(script, "$d0 << EOD\n1 2\n3 4\n\n5 6\n\nEOD\n$d1 << EOD\n1 2 3\n\n4 5 6\n\nEOD\n");
}

TEST(DataBlocks, HaveColumnsInTheOrderThatPlotsUse) {
    std::string script;
    DataBlocks blocks(script);
    EXPECT_EQ(blocks.add(std::vector<Box>{{.x = 1, .low = 2, .lower = 3, .median = 4, .upper = 5, .high = 6}}), "$d0");
    EXPECT_EQ(blocks.add(std::vector<Cell>{{.x = {0, 2}, .y = {10, 20}, .value = 7, .label = "it"}}), "$d1");
    EXPECT_EQ(script, "$d0 << EOD\n1 2 3 4 5 6\nEOD\n$d1 << EOD\n1 15 0 2 10 20 7\nEOD\n");
}

}  // namespace
}  // namespace groma
