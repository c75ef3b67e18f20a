#include "common/cli/option_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"

namespace groma {
namespace {

struct Painting {
    std::uint64_t coats = 1;
    std::string colour = "white";
    bool glossy = false;
    std::optional<std::string> report;
};

std::string known_colour(std::string_view text) {
    if (text != "red") {
        throw UsageError("'" + std::string(text) + "' is no colour");
    }
    return std::string(text);
}

constexpr auto kPaintingOptions = std::to_array<ProgramOption<Painting>>({
    {{"--coats", ValueKind::required, "N", "Some", "a number"},
     option_into::number<&Painting::coats, 1, 9>,
     ReadTurn::late},
    {{"--colour", ValueKind::required, "NAME", "Some", "red"}, option_into::parsed<&Painting::colour, known_colour>},
    {{"--glossy", ValueKind::none, "", "Some", "shine"}, option_into::flag<&Painting::glossy>},
    {{"--report", ValueKind::optional, "FILE", "Some", "to a file"},
     [](Painting& painting, const OptionValue& value) {
         painting.report = value.has_text ? std::string(value.text) : "none";
     },
     ReadTurn::first},
    {{"--room", ValueKind::required, "NAME", "Some", "read elsewhere"}},
});
constexpr auto kPaintingRows = rows_of(kPaintingOptions);
constexpr CommandTable kPaintingTable{.program = "paint", .summary = "s", .usage = "[OPTIONS]", .rows = kPaintingRows};

std::pair<Painting, std::string> painted(const std::vector<std::string>& arguments) {
    const CommandLine line(kPaintingTable, arguments);
    UsageErrors errors(line);
    Painting painting;
    read_options(line, errors, kPaintingOptions, painting);
    try {
        errors.throw_if_any();
    } catch (const UsageError& error) {
        return {painting, error.what()};
    }
    return {painting, ""};
}

TEST(OptionValue, GetsIntoTheMemberOfItsRow) {
    const Painting painting =
        painted({"--coats", "3", "--colour=red", "--glossy", "--report=r", "--room", "hall"}).first;
    EXPECT_EQ(painting.coats, 3U);
    EXPECT_EQ(painting.colour, "red");
    EXPECT_TRUE(painting.glossy);
    EXPECT_EQ(painting.report, "r");
}

TEST(OptionValue, LeavesAloneWhatWasNotGiven) {
    const Painting painting = painted({}).first;
    EXPECT_EQ(painting.coats, 1U);
    EXPECT_EQ(painting.colour, "white");
    EXPECT_FALSE(painting.glossy);
    EXPECT_EQ(painting.report, std::nullopt);
}

TEST(OptionValue, SaysWhetherAnOptionalOneWasLeftOut) {
    EXPECT_EQ(painted({"--report"}).first.report, "none");
    EXPECT_EQ(painted({"--report="}).first.report, "");
}

TEST(OptionValue, IsReadInItsTurnSoThatErrorsAreToldInThatOrder) {
    EXPECT_EQ(painted({"--coats", "x", "--colour", "blue"}).second,
              "--colour: 'blue' is no colour\n--coats: 'x' is not a whole number from 1 to 9");
}

}  // namespace
}  // namespace groma
