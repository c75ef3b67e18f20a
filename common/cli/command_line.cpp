#include "common/cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/base/nearest.hpp"
#include "common/cli/wrapped_text.hpp"

namespace groma {

namespace {

constexpr OptionRow kHelp{
    "--help", ValueKind::none, "", "Other", "print a summary of the options and exit", "It can be written -h."};
constexpr OptionRow kVersion{"--version", ValueKind::none, "", "Other", "print the program's version and exit"};
constexpr std::size_t kHelpColumn = 34;

void append_labelled(std::string& out, std::string line, std::string_view help) {
    if (line.size() + 2 > kHelpColumn) {
        out += line + '\n';
        line.clear();
    }
    line.resize(kHelpColumn - 1, ' ');
    out += line;
    append_wrapped(out, line.size(), kHelpColumn, help);
}

void append_option(std::string& out, const OptionRow& row) {
    const std::string also = row.also.empty() ? "" : fmt::format("; also {}", row.also);
    append_labelled(out, fmt::format("  {}", label(row)), std::string(row.help) + also);
}

void append_commands(std::string& out, std::span<const CommandRow> commands) {
    if (not commands.empty()) {
        out += "\nCommands:\n";
    }
    for (const CommandRow& row : commands) {
        append_labelled(out, fmt::format("  {} {}", row.name, row.words), row.help);
    }
}

std::string unknown_option(const std::string& name, const CommandTable& table, const std::vector<OptionRow>& rows) {
    if (const auto here = std::ranges::find(table.foreign, name, &ForeignOption::name); here != table.foreign.end()) {
        return "unknown option " + name + ": here it is " + std::string(here->meant);
    }
    std::vector<std::string_view> names;
    names.reserve(2 * rows.size());
    for (const OptionRow& row : rows) {
        names.push_back(row.name);
        names.push_back(row.also.empty() ? row.name : row.also);
    }
    const std::optional<std::string_view> meant = nearest(name, names);
    return "unknown option " + name + (meant ? ": did you mean " + std::string(*meant) + '?' : std::string());
}

}  // namespace

std::vector<OptionRow> all_rows(const CommandTable& table) {
    std::vector<OptionRow> rows(table.rows.begin(), table.rows.end());
    rows.push_back(kHelp);
    rows.push_back(kVersion);
    return rows;
}

std::vector<std::string_view> groups_of(const std::vector<OptionRow>& rows) {
    std::vector<std::string_view> groups;
    for (const OptionRow& row : rows) {
        if (std::ranges::find(groups, row.group) == groups.end()) {
            groups.push_back(row.group);
        }
    }
    return groups;
}

GroupRow group_named(const CommandTable& table, std::string_view heading) {
    const auto found = std::ranges::find(table.groups, heading, &GroupRow::heading);
    return found == table.groups.end() ? GroupRow{heading} : *found;
}

std::string label(const OptionRow& row) {
    std::string text(row.name);
    if (row.kind == ValueKind::required) {
        text += ' ' + std::string(row.value);
    } else if (row.kind == ValueKind::optional) {
        text += "[=" + std::string(row.value) + ']';
    }
    return text;
}

std::vector<std::string> usage_lines(const CommandTable& table) {
    std::string program(table.launch);
    program += program.empty() ? "" : " ";
    program += table.program;
    std::vector<std::string> lines;
    std::string_view usage = table.usage;
    while (not usage.empty()) {
        const std::size_t end = std::min(usage.find('\n'), usage.size());
        lines.push_back(program + ' ' + std::string(usage.substr(0, end)));
        usage.remove_prefix(std::min(end + 1, usage.size()));
    }
    return lines;
}

CommandLine::CommandLine(const CommandTable& table, std::span<const std::string> arguments) {
    const std::vector<OptionRow> rows = all_rows(table);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (not argument.starts_with('-') or argument == "-") {
            words_.push_back(argument);
            continue;
        }
        const std::size_t equals = argument.find('=');
        const std::string name = argument == "-h" ? "--help" : argument.substr(0, equals);
        const bool attached = equals != std::string::npos;
        std::optional<std::string> value = attached ? std::optional(argument.substr(equals + 1)) : std::nullopt;
        const auto row = std::find_if(rows.begin(), rows.end(),
                                      [&](const OptionRow& r) { return name == r.name or name == r.also; });
        if (row == rows.end()) {
            unknown_.push_back(name);
            errors_.push_back(unknown_option(name, table, rows));
            continue;
        }
        const bool more = i + 1 < arguments.size() and not arguments[i + 1].starts_with("--");
        if (row->kind == ValueKind::required and not attached and more) {
            value = arguments[++i];
        } else if (not attached and more) {
            if (auto perhaps = detached_value(*row, arguments[i + 1])) {
                detached_.push_back(*std::move(perhaps));
            }
        }
        if (row->kind == ValueKind::none and attached) {
            errors_.push_back(name + " takes no value, but got '" + *value + "'");
        } else if (row->kind == ValueKind::required and (not value or value->empty())) {
            errors_.push_back(name + " needs a value: " + label(*row));
        } else if (not given_.emplace(row->name, value).second) {
            errors_.push_back((name == row->name ? name : std::string(row->name) + " (" + name + ")") +
                              " is given twice: leave one out");
        }
    }
    find_command(table);
    find_words_out_of_place(table);
}

void CommandLine::find_command(const CommandTable& table) {
    if (not words_.empty()) {
        const auto found = std::ranges::find(table.commands, words_.front(), &CommandRow::name);
        if (found != table.commands.end()) {
            command_ = &*found;
            words_.erase(words_.begin());
        } else if (not table.commands.empty() and table.most_words == 0 and unknown_.empty()) {
            errors_.push_back("unknown command '" + words_.front() + "': see the usage");
            words_.clear();
        }
    }
    for (const auto& [name, value] : given_) {
        if (name == kHelp.name or name == kVersion.name) {
            continue;
        }
        if (command_ != nullptr and std::ranges::find(command_->options, name) == command_->options.end()) {
            errors_.push_back(fmt::format("'{1}' does not take {0}", name, command_->name));
        } else if (command_ == nullptr and
                   std::ranges::find(table.command_options, name) != table.command_options.end()) {
            errors_.push_back(name + " requires a command: see the usage");
        }
    }
}

void CommandLine::find_words_out_of_place(const CommandTable& table) {
    const std::size_t most = command_ != nullptr ? command_->most_words : table.most_words;
    // A word after an unknown option is probably that option's value: one error is enough.
    if (words_.size() > most and unknown_.empty()) {
        const bool perhaps_value = not detached_.empty();
        errors_.push_back(fmt::format("unexpected argument '{}': {}",
                                      perhaps_value ? detached_.front().word : words_[most],
                                      perhaps_value ? detached_.front().advice() : std::string("see the usage")));
    }
    if (command_ != nullptr and words_.size() < command_->least_words) {
        errors_.push_back(fmt::format("'{0}' needs more arguments: {0} {1}", command_->name, command_->words));
    }
}

std::optional<std::string> CommandLine::value(std::string_view option) const {
    const auto found = given_.find(option);
    return found == given_.end() ? std::nullopt : found->second;
}

std::optional<std::string> CommandLine::file_or_dash(std::string_view option) const {
    return has(option) ? std::optional(value(option).value_or("-")) : std::nullopt;
}

std::string help_text(const CommandTable& table) {
    std::string out(table.summary);
    out += "\n\nUsage:\n";
    for (const std::string& line : usage_lines(table)) {
        out += "  " + line + '\n';
    }
    append_commands(out, table.commands);
    const std::vector<OptionRow> rows = all_rows(table);
    for (const std::string_view heading : groups_of(rows)) {
        const std::string_view note = group_named(table, heading).note;
        out += fmt::format("\n{}{}:\n", heading, note.empty() ? "" : fmt::format(" ({})", note));
        for (const OptionRow& row : rows) {
            if (row.group == heading) {
                append_option(out, row);
            }
        }
    }
    if (not table.examples.empty()) {
        out += '\n' + std::string(table.examples);
    }
    return out;
}

}  // namespace groma
