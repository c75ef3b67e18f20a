#include "common/cli/manual_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "common/base/errors.hpp"
#include "common/cli/manual_text.hpp"

namespace groma {

namespace {

std::string synopsis(const CommandTable& table) {
    std::vector<std::string> lines = usage_lines(table);
    for (const CommandRow& command : table.commands) {
        lines.push_back(fmt::format("{} {} {}", table.program, command.name, command.words));
    }
    std::string out;
    for (const std::string& line : lines) {
        out += (out.empty() ? "" : ".br\n") + manual_form(line) + '\n';
    }
    return out;
}

std::string commands(const CommandTable& table) {
    std::string out;
    for (const CommandRow& row : table.commands) {
        out += ".TP\n" + manual_form(fmt::format("{} {}", row.name, row.words)) + '\n' +
               manual_text(row.help, row.more, row.words);
    }
    return out;
}

std::string options(const CommandTable& table) {
    const std::vector<OptionRow> rows = all_rows(table);
    std::string out;
    for (const std::string_view heading : groups_of(rows)) {
        const GroupRow group = group_named(table, heading);
        out += fmt::format(".SS {}\n", heading) + manual_text(group.note, group.more, "");
        for (const OptionRow& row : rows) {
            if (row.group == heading) {
                const std::string also = row.also.empty() ? "" : ", " + manual_form(row.also);
                out += ".TP\n" + manual_form(label(row)) + also + '\n' + manual_text(row.help, row.more, row.value);
            }
        }
    }
    return out;
}

std::string with_section(std::string_view page, std::string_view name, const std::string& content) {
    const std::string begin = fmt::format(".\\\" begin {} (made from the option table)\n", name);
    const std::string end = fmt::format(".\\\" end {}\n", name);
    const std::size_t from = page.find(begin);
    const std::size_t to = page.find(end, from);
    if (from == std::string_view::npos or to == std::string_view::npos) {
        throw UsageError(fmt::format("the man page lacks the markers of '{0}': write\n{1}{2}", name, begin, end));
    }
    return std::string(page.substr(0, from)) + begin + content + std::string(page.substr(to));
}

}  // namespace

std::string manual_page(const CommandTable& table, std::string_view page) {
    std::string made = with_section(page, "synopsis", synopsis(table));
    if (not table.commands.empty()) {
        made = with_section(made, "commands", commands(table));
    }
    return with_section(made, "options", options(table));
}

}  // namespace groma
