// Parses a program's command line by a table of options: the only place that knows the syntax of options. The program
// interprets the values. Reports all errors, unlike a library that throws at the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/cli/detached_value.hpp"

namespace groma {

enum class ValueKind : std::uint8_t {
    none,      ///< a flag: "--quiet"
    required,  ///< "--log FILE" or "--log=FILE"
    optional,  ///< "--json" or "--json=FILE"; never "--json FILE"
};

/// One option; the command line, --help and the man page use this row. All text lives as long as the program.
struct OptionRow {
    std::string_view name;  ///< with its dashes: "--log"
    ValueKind kind = ValueKind::required;
    std::string_view value;      ///< placeholder of the value in the help: "FILE"
    std::string_view group;      ///< heading in the help and in the man page
    std::string_view help;       ///< one line in the help, the first sentence in the man page
    std::string_view more = {};  ///< sentences that only the man page has, after `help`
    std::string_view also = {};  ///< another name that is taken in its place: "--fetch-logs"
};

/// Text about a group of options.
struct GroupRow {
    std::string_view heading;    ///< as in OptionRow::group
    std::string_view note = {};  ///< in brackets after the heading in the help, a sentence in the man page
    std::string_view more = {};  ///< sentences that only the man page has, after `note`
};

/// A command: what a program does if this is its first word.
struct CommandRow {
    std::string_view name;        ///< "prune"
    std::string_view words;       ///< placeholder of its words in the help: "[DIR] EXPERIMENT..."
    std::string_view help;        ///< one line
    std::size_t least_words = 0;  ///< after the command
    std::size_t most_words = 0;
    std::span<const std::string_view> options = {};  ///< the options that the command takes; others are errors
    std::string_view more = {};                      ///< sentences that only the man page has, after `help`
};

/// What other programs call it: only an answer to who writes it.
struct ForeignOption {
    std::string_view name;   ///< "-t"
    std::string_view meant;  ///< "--duration 10s"
};

struct CommandTable {
    std::string_view program;          ///< "groma-send"
    std::string_view summary;          ///< one line
    std::string_view usage;            ///< without the program's name, line by line
    std::span<const OptionRow> rows;   ///< --help and --version are added
    std::string_view words_name = {};  ///< placeholder of arguments that are not options: "EXPERIMENT.toml"
    std::size_t most_words = 0;        ///< how many of them are allowed
    std::string_view examples = {};    ///< at the end of the help
    std::span<const CommandRow> commands = {};
    std::span<const std::string_view> command_options = {};  ///< those that require a command
    std::span<const GroupRow> groups = {};                   ///< groups with text beyond their heading
    std::string_view launch = {};                            ///< precedes the program in its usage: "mpirun"
    std::span<const ForeignOption> foreign = {};             ///< of programs that users come from
};

/// The table's rows, then --help and --version.
[[nodiscard]] std::vector<OptionRow> all_rows(const CommandTable& table);

/// The headings of `rows`, each once, in their order.
[[nodiscard]] std::vector<std::string_view> groups_of(const std::vector<OptionRow>& rows);

/// The table's row for the group; only the heading if there is none.
[[nodiscard]] GroupRow group_named(const CommandTable& table, std::string_view heading);

/// "--log FILE", "--json[=FILE]", "--quiet".
[[nodiscard]] std::string label(const OptionRow& row);

/// The program's usage, one line per form, with its name: "groma-send EXPERIMENT.toml [OPTIONS]". Without commands.
[[nodiscard]] std::vector<std::string> usage_lines(const CommandTable& table);

class CommandLine {
public:
    /// `arguments` without the program's name. Never throws for what a user typed: see errors().
    CommandLine(const CommandTable& table, std::span<const std::string> arguments);

    [[nodiscard]] bool has(std::string_view option) const { return given_.contains(option); }
    /// Empty if the option was not given, or was given without its optional value.
    [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
    /// The option's FILE; "-" (standard output) if it was given without one. Empty if it was not given.
    [[nodiscard]] std::optional<std::string> file_or_dash(std::string_view option) const;
    /// Without the command.
    [[nodiscard]] const std::vector<std::string>& words() const { return words_; }
    /// The first word, when it is a command of the table; null otherwise.
    [[nodiscard]] const CommandRow* command() const { return command_; }

    /// One sentence per error: unknown options (with the nearest known one), missing or unwanted values, repeated
    /// options, too many words.
    [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
    /// Unknown options of the command line, without their values: for the program's own advice.
    [[nodiscard]] const std::vector<std::string>& unknown() const { return unknown_; }
    /// Words that were perhaps meant as the value of the option before them.
    [[nodiscard]] const std::vector<DetachedValue>& detached_values() const { return detached_; }

private:
    void find_command(const CommandTable& table);
    void find_words_out_of_place(const CommandTable& table);

    const CommandRow* command_ = nullptr;
    std::map<std::string, std::optional<std::string>, std::less<>> given_;
    std::vector<std::string> words_;
    std::vector<std::string> errors_;
    std::vector<std::string> unknown_;
    std::vector<DetachedValue> detached_;
};

/// The text of --help.
[[nodiscard]] std::string help_text(const CommandTable& table);

}  // namespace groma
