#include "common/cli/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::array kRows{
    OptionRow{"--log", ValueKind::required, "FILE", "Logs", "keep the log in FILE"},
    OptionRow{"--json", ValueKind::optional, "FILE", "Output", "print JSON"},
    OptionRow{"--quiet", ValueKind::none, "", "Output", "print nothing but errors"},
};
constexpr CommandTable kTable{"tool", "Does a thing.", "[OPTIONS]", kRows, "WORD", 1, "Examples:\n  tool --quiet\n"};

CommandLine read(std::vector<std::string> arguments) {
    return CommandLine(kTable, arguments);
}

TEST(CommandLine, TakesAValueBehindASpaceOrAnEqualsSign) {
    EXPECT_EQ(read({"--log", "a.glog"}).value("--log"), "a.glog");
    EXPECT_EQ(read({"--log=a=b"}).value("--log"), "a=b");
    EXPECT_THAT(read({"--log", "a.glog"}).errors(), IsEmpty());
}

TEST(CommandLine, AnOptionalValueIsNeverTakenFromTheNextWord) {
    const CommandLine line = read({"--json", "word"});
    EXPECT_TRUE(line.has("--json"));
    EXPECT_EQ(line.value("--json"), std::nullopt);
    EXPECT_THAT(line.words(), ElementsAre("word"));
    EXPECT_EQ(read({"--json=x"}).value("--json"), "x");
}

TEST(CommandLine, AWordBehindAnOptionThatMayStandAloneIsPerhapsItsValue) {
    const CommandLine line = read({"--json", "word"});
    ASSERT_EQ(line.detached_values().size(), 1U);
    EXPECT_EQ(line.detached_values().front().advice(), "if it is the value of --json, write --json=word");
    EXPECT_THAT(line.errors(), IsEmpty());
    for (const std::vector<std::string>& no_value : {std::vector<std::string>{"--json=x", "word"},
                                                     {"--quiet", "word"},
                                                     {"--log", "file", "word"},
                                                     {"word", "--json"},
                                                     {"--json", "--quiet"},
                                                     {"--json", "-"},
                                                     {"--log", "file"}}) {
        EXPECT_THAT(read(no_value).detached_values(), IsEmpty()) << testing::PrintToString(no_value);
    }
}

TEST(CommandLine, AWordTooManyBehindSuchAnOptionIsSaidToBePerhapsItsValue) {
    EXPECT_THAT(read({"--json", "out.json", "word"}).errors(),
                ElementsAre("unexpected argument 'out.json': if it is the value of --json, write "
                            "--json=out.json"));
}

TEST(CommandLine, AFileThatIsNotNamedIsStandardOutput) {
    EXPECT_EQ(read({"--json"}).file_or_dash("--json"), "-");
    EXPECT_EQ(read({"--json=x"}).file_or_dash("--json"), "x");
    EXPECT_EQ(read({}).file_or_dash("--json"), std::nullopt);
}

TEST(CommandLine, AValueMayBeginWithOneDash) {
    EXPECT_EQ(read({"--log", "-1s"}).value("--log"), "-1s");
    EXPECT_EQ(read({"--log", "-"}).value("--log"), "-");
}

TEST(CommandLine, ReportsAllErrorsTogether) {
    EXPECT_THAT(read({"--qiet", "--log", "--json=a", "--json=b", "--quiet=1"}).errors(),
                ElementsAre("unknown option --qiet: did you mean --quiet?", "--log needs a value: --log FILE",
                            "--json is given twice: leave one out", "--quiet takes no value, but got '1'"));
}

TEST(CommandLine, AnOptionMayHaveASecondNameWhichStandsForTheFirst) {
    static constexpr std::array kWithSecond{
        OptionRow{.name = "--logs", .value = "DIR", .group = "Logs", .help = "bring logs", .also = "--fetch-logs"}};
    static constexpr CommandTable kOfTwoNames{"tool", "Does a thing.", "[OPTIONS]", kWithSecond};
    const CommandLine line(kOfTwoNames, std::vector<std::string>{"--fetch-logs", "run"});
    EXPECT_EQ(line.value("--logs"), "run");
    EXPECT_THAT(line.errors(), IsEmpty());
    EXPECT_THAT(CommandLine(kOfTwoNames, std::vector<std::string>{"--logs=a", "--fetch-logs=b"}).errors(),
                ElementsAre("--logs (--fetch-logs) is given twice: leave one out"));
}

TEST(CommandLine, WhatAnotherProgramCallsAnOptionIsAnswered) {
    constexpr std::array kOthers{ForeignOption{"-o", "--log FILE"}};
    CommandTable table = kTable;
    table.foreign = kOthers;
    EXPECT_THAT(CommandLine(table, std::vector<std::string>{"-o", "x"}).errors(),
                ElementsAre("unknown option -o: here it is --log FILE"));
}

TEST(CommandLine, TheValueOfAnUnknownOptionIsNotASecondError) {
    const CommandLine line = read({"word", "--nothing-like-it", "5"});
    EXPECT_THAT(line.errors(), ElementsAre("unknown option --nothing-like-it"));
    EXPECT_THAT(line.unknown(), ElementsAre("--nothing-like-it"));
}

TEST(CommandLine, OneWordTooManyIsNamed) {
    EXPECT_THAT(read({"one", "two"}).errors(), ElementsAre(HasSubstr("'two'")));
}

TEST(CommandLine, HelpAndVersionAreEverywhere) {
    EXPECT_TRUE(read({"--help"}).has("--help"));
    EXPECT_TRUE(read({"-h"}).has("--help"));
    EXPECT_TRUE(read({"--version"}).has("--version"));
}

TEST(CommandLine, TheHelpListsOptionsByGroupWithExamplesAtTheEnd) {
    EXPECT_EQ(help_text(kTable),
              "Does a thing.\n"
              "\n"
              "Usage:\n"
              "  tool [OPTIONS]\n"
              "\n"
              "Logs:\n"
              "  --log FILE                      keep the log in FILE\n"
              "\n"
              "Output:\n"
              "  --json[=FILE]                   print JSON\n"
              "  --quiet                         print nothing but errors\n"
              "\n"
              "Other:\n"
              "  --help                          print a summary of the options and exit\n"
              "  --version                       print the program's version and exit\n"
              "\n"
              "Examples:\n"
              "  tool --quiet\n");
}

TEST(CommandLine, TheHelpSaysWhatIsToKnowOfAGroup) {
    constexpr std::array kGroups{GroupRow{"Logs", "of this host", "The page has more."}};
    const CommandTable table{.program = "tool", .summary = "", .usage = "", .rows = kRows, .groups = kGroups};
    EXPECT_THAT(help_text(table), HasSubstr("\nLogs (of this host):\n"));
    EXPECT_THAT(help_text(table), HasSubstr("\nOutput:\n"));
    EXPECT_THAT(help_text(table), Not(HasSubstr("The page has more")));
}

TEST(CommandLine, TheUsageMayBeginWithWhatLaunchesTheProgram) {
    const CommandTable table{
        .program = "tool", .summary = "", .usage = "FILE\nDIR [OPTIONS]", .rows = kRows, .launch = "mpirun"};
    EXPECT_THAT(usage_lines(table), ElementsAre("mpirun tool FILE", "mpirun tool DIR [OPTIONS]"));
}

constexpr std::array kOfShow = {std::string_view("--json")};
constexpr std::array kOfCommands = {std::string_view("--json")};
constexpr std::array kCommands = {CommandRow{"show", "[DIR] NAME", "show one", 1, 2, kOfShow},
                                  CommandRow{"list", "", "show all"}};
constexpr CommandTable kCommandTable = {.program = "tool",
                                        .summary = "Does things.",
                                        .usage = "COMMAND",
                                        .rows = kRows,
                                        .commands = kCommands,
                                        .command_options = kOfCommands};

CommandLine read_command(const std::vector<std::string>& arguments) {
    return CommandLine(kCommandTable, arguments);
}

TEST(CommandLine, TheFirstWordMayBeACommand) {
    const CommandLine line = read_command({"show", "--json", "games"});
    EXPECT_THAT(line.errors(), IsEmpty());
    ASSERT_NE(line.command(), nullptr);
    EXPECT_EQ(line.command()->name, "show");
    EXPECT_THAT(line.words(), ElementsAre("games"));
    EXPECT_EQ(read_command({}).command(), nullptr);
}

TEST(CommandLine, ACommandHasItsOwnOptionsAndWords) {
    EXPECT_THAT(read_command({"list", "--json"}).errors(), ElementsAre(HasSubstr("'list' does not take --json")));
    EXPECT_THAT(read_command({"--json"}).errors(), ElementsAre(HasSubstr("requires a command")));
    EXPECT_THAT(read_command({"show"}).errors(), ElementsAre(HasSubstr("[DIR] NAME")));
    EXPECT_THAT(read_command({"list", "games"}).errors(), ElementsAre(HasSubstr("'games'")));
    EXPECT_THAT(read_command({"lost"}).errors(), ElementsAre(HasSubstr("unknown command 'lost'")));
}

TEST(CommandLine, TheHelpListsCommands) {
    EXPECT_THAT(help_text(kCommandTable), HasSubstr("\nCommands:\n  show [DIR] NAME                 show one\n"));
}

}  // namespace
}  // namespace groma
