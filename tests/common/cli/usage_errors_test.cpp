#include "common/cli/usage_errors.hpp"

#include <gmock/gmock.h>

#include <array>
#include <limits>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

constexpr std::array kRows{
    OptionRow{"--count", ValueKind::required, "N", "Some", "a number"},
    OptionRow{"--colour", ValueKind::required, "NAME", "Some", "red or none"},
    OptionRow{"--file", ValueKind::optional, "FILE", "Some", "a file"},
};
constexpr CommandTable kTable{.program = "some", .summary = "s", .usage = "[OPTIONS]", .rows = kRows};

CommandLine line(const std::vector<std::string>& arguments) {
    return {kTable, arguments};
}

std::string thrown_by(const UsageErrors& errors) {
    try {
        errors.throw_if_any();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "nothing";
}

std::string colour(std::string_view text) {
    if (text != "red") {
        throw UsageError("'" + std::string(text) + "' is no colour: write red");
    }
    return "#ff0000";
}

TEST(UsageErrors, NoneAreNotThrown) {
    const UsageErrors errors;
    EXPECT_TRUE(errors.none());
    EXPECT_EQ(thrown_by(errors), "nothing");
}

TEST(UsageErrors, StandOnALineEachInTheOrderTheyWereFound) {
    UsageErrors errors;
    errors.add("the second letter is b");
    errors.add("the first letter is a");
    EXPECT_FALSE(errors.none());
    EXPECT_EQ(thrown_by(errors), "the second letter is b\nthe first letter is a");
}

TEST(UsageErrors, TheSameIsSaidOnce) {
    UsageErrors errors;
    errors.add("twice");
    errors.add("once");
    errors.add("twice");
    EXPECT_EQ(thrown_by(errors), "twice\nonce");
}

TEST(UsageErrors, BeginWithThoseOfTheLine) {
    UsageErrors errors(line({"--cuont", "3"}));
    errors.add("and one more");
    const std::string said = thrown_by(errors);
    EXPECT_THAT(said, HasSubstr("--cuont"));
    EXPECT_TRUE(said.ends_with("\nand one more")) << said;
}

TEST(UsageErrors, AValueThatCanBeParsedIsNone) {
    UsageErrors errors;
    EXPECT_EQ(errors.parsed(line({"--colour", "red"}), "--colour", colour), "#ff0000");
    EXPECT_EQ(errors.parsed(line({}), "--colour", colour), std::nullopt);
    EXPECT_EQ(errors.parsed(line({"--file"}), "--file", colour), std::nullopt);
    EXPECT_TRUE(errors.none());
}

TEST(UsageErrors, AValueThatCannotBeParsedIsSaidWithItsOption) {
    UsageErrors errors;
    EXPECT_EQ(errors.parsed(line({"--colour", "loud"}), "--colour", colour), std::nullopt);
    EXPECT_EQ(thrown_by(errors), "--colour: 'loud' is no colour: write red");
}

TEST(UsageErrors, NumbersAreWholeAndWithinBounds) {
    const auto number = [](const std::string& text, std::uint64_t low, std::uint64_t high) {
        UsageErrors errors;
        const auto found = errors.number(line({"--count", text}), "--count", low, high);
        EXPECT_EQ(found.has_value(), errors.none()) << text;
        return found;
    };
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(number("3", 3, 5), 3U);
    EXPECT_EQ(number("5", 3, 5), 5U);
    EXPECT_EQ(number("18446744073709551615", 0, kMost), kMost);
    for (const char* text : {"2", "6", "4.0", "4 ", "+4", "0x4", "four", "18446744073709551620"}) {
        EXPECT_EQ(number(text, 3, 5), std::nullopt) << text;
    }
    EXPECT_EQ(number("18446744073709551616", 0, kMost), std::nullopt);
}

TEST(UsageErrors, ABadNumberIsSaidWithItsBounds) {
    UsageErrors errors;
    static_cast<void>(errors.number(line({"--count", "seven"}), "--count", 1, 10));
    EXPECT_EQ(thrown_by(errors), "--count: 'seven' is not a whole number from 1 to 10");
}

}  // namespace
}  // namespace groma
