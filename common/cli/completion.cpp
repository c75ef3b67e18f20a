#include "common/cli/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace groma {

namespace {

enum class Names : std::uint8_t { none, files, folders, hosts };

/// What a value or a word of the command line can be.
struct Candidates {
    Names names = Names::none;
    std::vector<std::string> words = {};
    bool list = false;  ///< several words with ',' between them
    bool operator==(const Candidates&) const = default;
};

/// A command line: of a program without a command, or of one of its commands.
struct CompletedForm {
    std::string_view command;  ///< empty without one
    std::vector<OptionRow> rows;
    Candidates rest;  ///< what is no option
};

bool is_fixed(std::string_view word) {
    return not word.empty() and word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

/// "auto", "on" and "off" of "auto|on|off".
std::vector<std::string> fixed_words(std::string_view placeholder) {
    std::vector<std::string> words;
    while (not placeholder.empty()) {
        const std::size_t end = std::min(placeholder.find('|'), placeholder.size());
        if (is_fixed(placeholder.substr(0, end))) {
            words.emplace_back(placeholder.substr(0, end));
        }
        placeholder.remove_prefix(std::min(end + 1, placeholder.size()));
    }
    return words;
}

Names names_of(std::string_view placeholder) {
    const std::string_view begin = placeholder.starts_with('[') ? placeholder.substr(1) : placeholder;
    const auto begins_with = [begin](std::string_view word) { return begin.starts_with(word); };
    return begins_with("DIR]") or begin == "DIR"          ? Names::folders
           : begins_with("HOST")                          ? Names::hosts
           : begins_with("FILE") or begins_with("DEVICE") ? Names::files
                                                          : Names::none;
}

Candidates candidates(const OptionRow& row, const std::vector<ValueWords>& known) {
    auto found = std::ranges::find(known, row.name, &ValueWords::value);
    if (found == known.end()) {
        found = std::ranges::find(known, row.value, &ValueWords::value);
    }
    std::vector<std::string> words;
    for (const std::string& word : found == known.end() ? fixed_words(row.value) : found->words) {
        if (std::ranges::find(words, word) == words.end()) {
            words.push_back(word);
        }
    }
    const bool list = row.value == "LIST" or row.value == "ROLES" or row.value.find("...") != std::string_view::npos;
    const bool several = list and not words.empty();
    return {names_of(row.value), std::move(words), several};
}

/// In the order of --help.
std::vector<OptionRow> rows_by_group(const CommandTable& table) {
    const std::vector<OptionRow> rows = all_rows(table);
    std::vector<OptionRow> ordered;
    for (const std::string_view heading : groups_of(rows)) {
        for (const OptionRow& row : rows) {
            if (row.group == heading) {
                ordered.push_back(row);
            }
            if (row.group == heading and not row.also.empty()) {
                ordered.push_back(row);
                ordered.back().name = row.also;
            }
        }
    }
    return ordered;
}

std::vector<OptionRow> rows_of_command(const CommandTable& table, const CommandRow& command) {
    std::vector<OptionRow> rows = rows_by_group(table);
    std::erase_if(rows, [&](const OptionRow& row) {
        return row.group != "Other" and std::ranges::find(command.options, row.name) == command.options.end();
    });
    return rows;
}

/// That without a command is the last one.
std::vector<CompletedForm> forms_of(const CompletedProgram& program) {
    std::vector<CompletedForm> forms;
    Candidates first{program.table.most_words > 0 ? Names::files : Names::none};
    for (const CommandRow& command : program.table.commands) {
        forms.push_back({command.name, rows_of_command(program.table, command), {names_of(command.words)}});
        first.words.emplace_back(command.name);
    }
    for (const CommandTable* table : program.commands) {
        const std::string_view name = table->program.substr(table->program.find(' ') + 1);
        forms.push_back({name, rows_by_group(*table), {Names::files}});
        first.words.emplace_back(name);
    }
    forms.push_back({{}, rows_by_group(program.table), std::move(first)});
    return forms;
}

std::string function_name(std::string_view program) {
    std::string name = fmt::format("_{}", program);
    std::ranges::replace(name, '-', '_');
    return name;
}

// ---- bash ----

constexpr std::string_view kBashBegin =
    R"(    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command=
    local options value= names= words= list= before=
    # "--json=FILE" is three words here.
    if [[ $word == = ]]; then
        option+== word=
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}=
    fi
    ((COMP_CWORD < 2)) || command=${COMP_WORDS[1]}
)";

constexpr std::string_view kBashEnd = R"(    COMPREPLY=()
    if [[ -z $value && ($word == : || $option == *[:=]) ]]; then
        return  # within a value
    elif [[ -z $value && $word == -* ]]; then
        names= words=$options
    elif [[ $list && $word == *,* ]]; then
        before=${word%,*}, word=${word##*,}
    fi
    mapfile -t COMPREPLY < <(compgen $names -W "$words" -- "$word")
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
    if [[ $names == -[fd] ]]; then
        compopt -o filenames 2>/dev/null
    elif [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=] ]]; then
        compopt -o nospace 2>/dev/null
    fi
)";

std::string_view bash_names(Names names) {
    switch (names) {
        case Names::files:
            return "-f";
        case Names::folders:
            return "-d";
        case Names::hosts:
            return "'-A hostname'";
        case Names::none:
            break;
    }
    return "";
}

/// Assignments, each with a blank before it.
std::string bash_settings(const Candidates& of) {
    return fmt::format(" names={} words='{}'{}", bash_names(of.names), fmt::join(of.words, " "),
                       of.list ? " list=1" : "");
}

std::string bash_values(const CompletedForm& form, const std::vector<ValueWords>& known) {
    std::vector<std::pair<std::string, std::string>> branches;  // settings, and the options that have them
    for (const OptionRow& row : form.rows) {
        if (row.kind == ValueKind::none) {
            continue;
        }
        const std::string pattern =
            row.kind == ValueKind::required ? fmt::format("{0} | {0}=", row.name) : fmt::format("{}=", row.name);
        std::string settings = bash_settings(candidates(row, known));
        const auto same = std::ranges::find(branches, settings, &std::pair<std::string, std::string>::first);
        if (same == branches.end()) {
            branches.emplace_back(std::move(settings), pattern);
        } else {
            same->second += " | " + pattern;
        }
    }
    std::string text;
    for (const auto& [settings, patterns] : branches) {
        text += fmt::format("        {}) value=1{} ;;\n", patterns, settings);
    }
    return text.empty() ? text : "        case $option in\n" + text + "        esac\n";
}

std::string bash_form(const CompletedForm& form, const std::vector<ValueWords>& known) {
    std::vector<std::string_view> names(form.rows.size());
    std::ranges::transform(form.rows, names.begin(), &OptionRow::name);
    std::string text = fmt::format("    {})\n        options='{}'{}\n", form.command.empty() ? "*" : form.command,
                                   fmt::join(names, " "), bash_settings({form.rest.names}));
    if (not form.rest.words.empty()) {
        text += fmt::format("        [[ $command ]] || words='{}'\n", fmt::join(form.rest.words, " "));  // first only
    }
    text += bash_values(form, known);
    return text + "        ;;\n";
}

// ---- zsh ----

std::string with_escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (const char c : text) {
        out += special.find(c) == std::string_view::npos ? std::string(1, c) : std::string{'\\', c};
    }
    return out;
}

/// Within single quotes of a shell.
std::string in_shell_quotes(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return out + '\'';
}

/// Without its details: "threads that send; auto: ..." is "threads that send".
std::string_view brief(std::string_view help) {
    return help.substr(0, std::min(help.find("; "), help.find(" (")));
}

std::string_view zsh_names(Names names) {
    switch (names) {
        case Names::files:
            return "_files";
        case Names::folders:
            return "_files -/";
        case Names::hosts:
            return "_hosts";
        case Names::none:
            break;
    }
    return "";
}

std::string zsh_action(const Candidates& of) {
    std::string text;
    std::string begins;
    for (const std::string& word : of.words) {
        (word.ends_with(':') or word.ends_with('=') ? begins : text) += ' ' + word;
    }
    std::vector<std::string> commands;
    if (of.list) {
        commands.emplace_back("compset -P \"*,\"");
    }
    if (not begins.empty()) {
        commands.push_back(fmt::format("compadd -S \"\" -{}", begins));
    }
    if (not text.empty()) {
        commands.push_back(fmt::format("compadd -{}", text));
    }
    if (of.names != Names::none) {
        commands.emplace_back(zsh_names(of.names));
    }
    return commands.empty() ? " "
                            : fmt::format("{{{}}}", with_escaped(fmt::format("{}", fmt::join(commands, "; ")), ":"));
}

std::string zsh_option(const OptionRow& row, const std::vector<ValueWords>& known) {
    const std::string help = with_escaped(brief(row.help), "[]:\\");
    if (row.kind == ValueKind::none) {
        return fmt::format("{}[{}]", row.name, help);
    }
    const bool is_long = row.name.starts_with("--");
    const std::string_view joint = not is_long ? "" : row.kind == ValueKind::required ? "=" : "=-";
    return fmt::format("{}{}[{}]{}:{}:{}", row.name, joint, help, row.kind == ValueKind::required ? "" : ":",
                       with_escaped(row.value, ":"), zsh_action(candidates(row, known)));
}

/// A call of _arguments.
std::string zsh_form(const CompletedForm& form, const std::vector<ValueWords>& known, std::string_view indent) {
    std::string text = fmt::format("{}_arguments", indent);
    const auto add = [&](const std::string& spec) {
        text += fmt::format(" \\\n{}    {}", indent, in_shell_quotes(spec));
    };
    for (const OptionRow& row : form.rows) {
        add(zsh_option(row, known));
    }
    if (not form.rest.words.empty()) {
        add(fmt::format("1: :{}", zsh_action(form.rest)));
    }
    // Without a word of this kind zsh would offer no option after one; a message would hide options.
    add(form.rest.names == Names::none ? "*: :()" : fmt::format("*: :{}", zsh_action({form.rest.names})));
    return text + '\n';
}

}  // namespace

std::string bash_completion(const CompletedProgram& program) {
    const std::string name = function_name(program.table.program);
    std::string text = fmt::format("# Completion of {} in bash, made from its option table.\n\n{}() {{\n",
                                   program.table.program, name);
    text += fmt::format("{}    case $command in\n", kBashBegin);
    for (const CompletedForm& form : forms_of(program)) {
        text += bash_form(form, program.words);
    }
    return text + fmt::format("    esac\n{}}}\ncomplete -F {} {}\n", kBashEnd, name, program.table.program);
}

std::string zsh_completion(const CompletedProgram& program) {
    std::vector<CompletedForm> forms = forms_of(program);
    std::string text =
        fmt::format("#compdef {0}\n# Completion of {0} in zsh, made from its option table.\n\n", program.table.program);
    const CompletedForm last = std::move(forms.back());
    forms.pop_back();
    if (not forms.empty()) {
        text += "if ((CURRENT > 2)); then\n    case $words[2] in\n";
        for (const CompletedForm& form : forms) {
            text += fmt::format("    ({})\n        shift words\n        ((--CURRENT))\n{}        return\n        ;;\n",
                                form.command, zsh_form(form, program.words, "        "));
        }
        text += "    esac\nfi\n";
    }
    return text + zsh_form(last, program.words, "");
}

}  // namespace groma
