// A table of options against --help and the committed man page and completions, which are made of it. With
// GROMA_WRITE_DOCS in the environment they are written.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/cli/completion.hpp"
#include "common/cli/manual_page.hpp"
#include "tests/files.hpp"

namespace groma {

/// `test_data`: GROMA_TEST_DATA. The page of "groma-dec fit" is man/groma-dec-fit.1.
inline void expect_documented(const CommandTable& table, const std::string& test_data) {
    const std::string help = help_text(table);
    std::set<std::string_view> names;
    for (const OptionRow& row : all_rows(table)) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name << " has two rows";
        EXPECT_TRUE(row.also.empty() or names.insert(row.also).second) << row.also << " has two rows";
        EXPECT_THAT(help, testing::HasSubstr("\n  " + label(row)));
        EXPECT_FALSE(row.help.empty()) << row.name;
    }
    for (const ForeignOption& foreign : table.foreign) {
        EXPECT_TRUE(names.insert(foreign.name).second) << foreign.name << " is there, or stands twice";
        if (foreign.meant.starts_with('-')) {
            EXPECT_TRUE(names.contains(foreign.meant.substr(0, foreign.meant.find_first_of(" ,=")))) << foreign.meant;
        }
    }
    std::string name(table.program);
    std::ranges::replace(name, ' ', '-');
    const std::string file = test_data + "/../man/" + name + ".1";
    expect_written(file, manual_page(table, content_of(file)));
}

/// `test_data`: GROMA_TEST_DATA.
inline void expect_completed(const CompletedProgram& program, const std::string& test_data) {
    const std::string folder = test_data + "/../completion/";
    const std::string name(program.table.program);
    expect_written(folder + "bash/" + name, bash_completion(program));
    expect_written(folder + "zsh/_" + name, zsh_completion(program));
}

/// Of each row of a table the name that `name` says, with `end` after it: "loss=".
template <typename Rows, typename Name>
[[nodiscard]] std::vector<std::string> named_words(const Rows& rows, const Name& name, std::string_view end = "") {
    std::vector<std::string> words;
    for (const auto& row : rows) {
        words.push_back(std::string(std::invoke(name, row)) + std::string(end));
    }
    return words;
}

}  // namespace groma
