// A program's command line as a table of options, read into what was given for each: the one place that knows how
// options look. What the values mean is the program's business. All errors are found, not only the first, which is
// why this is not left to a library that throws at the first.
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

/// One option: the command line, --help and the man page know it by this row. All text lives as long as the program.
struct OptionRow {
    std::string_view name;  ///< with its dashes: "--log"
    ValueKind kind = ValueKind::required;
    std::string_view value;      ///< what stands for the value in the help: "FILE"
    std::string_view group;      ///< heading in the help and in the man page
    std::string_view help;       ///< begins the text of the man page, as a sentence
    std::string_view more = {};  ///< sentences that only the man page has, after `help`
};

/// What is said of a group of options as a whole.
struct GroupRow {
    std::string_view heading;    ///< as the options have it
    std::string_view note = {};  ///< in brackets after the heading in the help, a sentence in the man page
    std::string_view more = {};  ///< sentences that only the man page has, after `note`
};

/// One of the things that a program does when its first word says so.
struct CommandRow {
    std::string_view name;        ///< "prune"
    std::string_view words;       ///< what stands for its words in the help: "[DIR] EXPERIMENT..."
    std::string_view help;        ///< one line
    std::size_t least_words = 0;  ///< behind the command
    std::size_t most_words = 0;
    std::span<const std::string_view> options = {};  ///< names of the options that it takes; without it they are wrong
    std::string_view more = {};                      ///< sentences that only the man page has, after `help`
};

struct CommandTable {
    std::string_view program;          ///< "groma-send"
    std::string_view summary;          ///< one line
    std::string_view usage;            ///< without the program's name, line by line
    std::span<const OptionRow> rows;   ///< --help and --version are added
    std::string_view words_name = {};  ///< what stands for arguments that are no options: "EXPERIMENT.toml"
    std::size_t most_words = 0;        ///< how many of them are allowed
    std::string_view examples = {};    ///< at the end of the help
    std::span<const CommandRow> commands = {};
    std::span<const std::string_view> command_options = {};  ///< those that need a command
    std::span<const GroupRow> groups = {};                   ///< those of which more is said than their heading
    std::string_view launch = {};                            ///< stands before the program in its usage: "mpirun"
};

/// Those of the table, then --help and --version.
[[nodiscard]] std::vector<OptionRow> all_rows(const CommandTable& table);

/// The headings of `rows`, each once, in their order.
[[nodiscard]] std::vector<std::string_view> groups_of(const std::vector<OptionRow>& rows);

/// What the table says of the group: only its heading, if it says nothing.
[[nodiscard]] GroupRow group_named(const CommandTable& table, std::string_view heading);

/// "--log FILE", "--json[=FILE]", "--quiet".
[[nodiscard]] std::string label(const OptionRow& row);

/// What the program is called with, a line each, with its name: "groma-send EXPERIMENT.toml [OPTIONS]". Without
/// commands.
[[nodiscard]] std::vector<std::string> usage_lines(const CommandTable& table);

class CommandLine {
public:
    /// `arguments` without the program's name. Never throws for what a user typed: see errors().
    CommandLine(const CommandTable& table, std::span<const std::string> arguments);

    [[nodiscard]] bool has(std::string_view option) const { return given_.contains(option); }
    /// Empty when the option was not given, or was given without its optional value.
    [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
    /// The FILE of an option that may stand alone, which means standard output: "-". Empty when it was not given.
    [[nodiscard]] std::optional<std::string> file_or_dash(std::string_view option) const;
    /// Without the command.
    [[nodiscard]] const std::vector<std::string>& words() const { return words_; }
    /// The first word, when it is a command of the table; null otherwise.
    [[nodiscard]] const CommandRow* command() const { return command_; }

    /// Unknown options (with the nearest known one), missing or unwanted values, options given twice, too many words:
    /// a sentence each.
    [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
    /// Options of the command line that are not in the table, without their values: for advice of the program's own.
    [[nodiscard]] const std::vector<std::string>& unknown() const { return unknown_; }
    /// Among the words: those that were perhaps meant as the value of the option before them.
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
