#include "common/cli/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace groma {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::array kCompletedRows{
    OptionRow{"--log", ValueKind::required, "FILE", "Logs", "write a log"},
    OptionRow{"--json", ValueKind::optional, "FILE", "Logs", "write JSON; without FILE on standard output"},
    OptionRow{"--dir", ValueKind::required, "DIR", "Logs", "the folder"},
    OptionRow{"--to", ValueKind::required, "HOST[:PORT]", "Where", "the peer (by its 'name')"},
    OptionRow{"--gro", ValueKind::required, "auto|on|off", "Where", "coalesce"},
    OptionRow{"--none", ValueKind::required, "HOST[:PORT]|none", "Where", "a host or none"},
    OptionRow{"--packets", ValueKind::required, "N", "Where", "as many"},
    OptionRow{"--formats", ValueKind::required, "LIST", "Where", "formats [of pictures]: svg, png"},
    OptionRow{"--idt", ValueKind::required, "DISTRIBUTION", "Where", "gaps"},
    OptionRow{"--quiet", ValueKind::none, "", "Where", "say nothing"},
};
constexpr std::array kCompletedOfPrune{std::string_view("--dir")};
constexpr std::array kCompletedCommands{CommandRow{"prune", "[DIR] EXPERIMENT", "delete", 0, 2, kCompletedOfPrune},
                                        CommandRow{"show", "FILE...", "show", 1, 9}};
constexpr CommandTable kCompleted{.program = "groma-x", .rows = kCompletedRows, .words_name = "LOG", .most_words = 5};
constexpr CommandTable kCompletedWithCommands{
    .program = "groma-y", .rows = kCompletedRows, .commands = kCompletedCommands};
constexpr CommandTable kCompletedCommand{.program = "groma-x fit", .rows = std::span(kCompletedRows).first(1)};

CompletedProgram program() {
    return {kCompleted, {}, {{"--formats", {"svg", "png", "svg"}}, {"DISTRIBUTION", {"exp:", "max"}}}};
}

TEST(Completion, InBashAValueIsWhatItsPlaceholderSays) {
    const std::string script = bash_completion(program());
    EXPECT_THAT(script, HasSubstr("--log | --log= | --json=) value=1 names=-f words='' ;;"));
    EXPECT_THAT(script, HasSubstr("--dir | --dir=) value=1 names=-d words='' ;;"));
    EXPECT_THAT(script, HasSubstr("--to | --to=) value=1 names='-A hostname' words='' ;;"));
    EXPECT_THAT(script, HasSubstr("--gro | --gro=) value=1 names= words='auto on off' ;;"));
    EXPECT_THAT(script, HasSubstr("--none | --none=) value=1 names='-A hostname' words='none' ;;"));
    EXPECT_THAT(script, HasSubstr("--packets | --packets=) value=1 names= words='' ;;"));
    EXPECT_THAT(script, HasSubstr("--formats | --formats=) value=1 names= words='svg png' list=1 ;;"));
    EXPECT_THAT(script, HasSubstr("--idt | --idt=) value=1 names= words='exp: max' ;;"));
    EXPECT_THAT(script, Not(HasSubstr("--quiet)")));
}

TEST(Completion, InBashTheRestIsFilesWhereThereAreAny) {
    EXPECT_THAT(bash_completion(program()),
                AllOf(HasSubstr("_groma_x() {\n"), HasSubstr("--idt --quiet --help --version' names=-f words=''\n"),
                      HasSubstr("\ncomplete -F _groma_x groma-x\n")));
    EXPECT_THAT(bash_completion({kCompletedWithCommands}), HasSubstr("--version' names= words=''\n"));
}

TEST(Completion, ACommandComesFirstAndHasItsOwnOptions) {
    const std::string script = bash_completion({kCompletedWithCommands});
    EXPECT_THAT(script, HasSubstr("    prune)\n        options='--dir --help --version' names=-d words=''\n"));
    EXPECT_THAT(script, HasSubstr("    show)\n        options='--help --version' names=-f words=''\n"));
    EXPECT_THAT(script, HasSubstr("        [[ $command ]] || words='prune show'\n"));
    EXPECT_THAT(bash_completion({kCompleted, {&kCompletedCommand}}),
                HasSubstr("    fit)\n        options='--log --help --version' names=-f words=''\n"));
}

TEST(Completion, InZshAValueIsWhatItsPlaceholderSays) {
    const std::string script = zsh_completion(program());
    EXPECT_THAT(script, HasSubstr("'--log=[write a log]:FILE:{_files}'"));
    EXPECT_THAT(script, HasSubstr("'--json=-[write JSON]::FILE:{_files}'"));
    EXPECT_THAT(script, HasSubstr("'--dir=[the folder]:DIR:{_files -/}'"));
    EXPECT_THAT(script, HasSubstr("'--to=[the peer]:HOST[\\:PORT]:{_hosts}'"));
    EXPECT_THAT(script, HasSubstr("'--gro=[coalesce]:auto|on|off:{compadd - auto on off}'"));
    EXPECT_THAT(script, HasSubstr("'--packets=[as many]:N: '"));
    EXPECT_THAT(script, HasSubstr("'--formats=[formats \\[of pictures\\]\\: svg, png]:LIST:"
                                  "{compset -P \"*,\"; compadd - svg png}'"));
    EXPECT_THAT(script, HasSubstr("'--idt=[gaps]:DISTRIBUTION:{compadd -S \"\" - exp\\:; compadd - max}'"));
    EXPECT_THAT(script, HasSubstr("'--quiet[say nothing]'"));
    EXPECT_THAT(script, HasSubstr("'*: :{_files}'\n"));
}

TEST(Completion, InZshACommandHasItsOwnOptions) {
    const std::string script = zsh_completion({kCompletedWithCommands});
    EXPECT_THAT(script, HasSubstr("#compdef groma-y\n"));
    EXPECT_THAT(script, HasSubstr("    (prune)\n        shift words\n        ((--CURRENT))\n        _arguments \\\n"
                                  "            '--dir=[the folder]:DIR:{_files -/}' \\\n"));
    EXPECT_THAT(script, HasSubstr("'1: :{compadd - prune show}' \\\n    '*: :()'\n"));
}

}  // namespace
}  // namespace groma
